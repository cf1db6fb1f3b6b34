// Internal: every SPECIALIZES relationship between Subtask nodes.
// Parameters: none
MATCH (a:Subtask)-[r:SPECIALIZES]->(b:Subtask)
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
