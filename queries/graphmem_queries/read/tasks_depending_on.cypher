// The tasks that come down to a subtask or an action (its key or name), at any depth: whom a change of it would touch.
// Parameters: called
MATCH (n:Subtask|Action)
WHERE n.key = $called OR n.name = $called
MATCH (t:Task)-[:HAS_WAY]->(:Subtask)-[:HAS_SUBTASK|HAS_ACTION*0..12]->(n)
RETURN DISTINCT t.name AS task, t.site AS site, t.uses AS uses, n.name AS called, n.key AS called_key, t.key AS key
ORDER BY called, called_key, task, key
