// Internal: what Subtask nodes ($keys) call, Subtask and Action nodes, with the description of the actions.
// Parameters: keys
MATCH (s:Subtask)-[r:HAS_SUBTASK|HAS_ACTION]->(c)
WHERE s.key IN $keys
RETURN s.key AS start_key, type(r) AS type, r.index AS index, r.bindings AS bindings, c.key AS key, c.site AS site,
       c.status AS status, c.op AS op, c.target AS target, c.value AS value, c.slots AS slots
ORDER BY start_key, index, key
