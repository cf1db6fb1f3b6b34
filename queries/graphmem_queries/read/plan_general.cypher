// Internal: the general Subtask nodes that Subtask nodes ($keys) are special cases of.
// Parameters: keys
MATCH (s:Subtask)-[:SPECIALIZES]->(g:Subtask)
WHERE s.key IN $keys
RETURN s.key AS key, g.key AS general
ORDER BY key, general
