// Internal: the ways of doing tasks: HAS_WAY relationships from Task nodes ($keys) to Subtask nodes.
// Parameters: keys
MATCH (t:Task)-[r:HAS_WAY]->(s:Subtask)
WHERE t.key IN $keys
RETURN t.key AS task, s.key AS subtask, r.bindings AS bindings, r.uses AS uses, r.successes AS successes, r.failures AS failures
ORDER BY task, subtask
