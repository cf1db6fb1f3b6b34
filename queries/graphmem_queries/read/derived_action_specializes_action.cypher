// Internal: every SPECIALIZES relationship between Action nodes.
// Parameters: none
MATCH (a:Action)-[r:SPECIALIZES]->(b:Action)
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
