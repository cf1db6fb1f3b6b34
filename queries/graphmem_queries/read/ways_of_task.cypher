// The ways of doing a task (its key or name), best record first.
// Parameters: task
MATCH (t:Task)-[w:HAS_WAY]->(s:Subtask)
WHERE t.key = $task OR t.name = $task
RETURN t.name AS task, s.name AS way, s.text AS text, w.bindings AS bindings, w.uses AS uses, w.successes AS successes,
       w.failures AS failures, s.key AS key
ORDER BY successes DESC, failures, key
