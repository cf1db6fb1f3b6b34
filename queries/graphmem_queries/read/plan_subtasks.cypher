// Internal: Subtask nodes ($keys) and every Subtask that they call, at any depth.
// Parameters: keys
MATCH (root:Subtask)-[:HAS_SUBTASK*0..16]->(s:Subtask)
WHERE root.key IN $keys
RETURN DISTINCT s.key AS key, s.site AS site, s.name AS name, s.kind AS kind, s.spec AS spec, s.parameters AS parameters,
       s.preconditions AS preconditions, s.postconditions AS postconditions, s.uses AS uses, s.successes AS successes,
       s.failures AS failures, s.status AS status
ORDER BY key
