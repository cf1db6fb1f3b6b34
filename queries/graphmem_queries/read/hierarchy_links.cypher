// Internal: every relationship of the hierarchy, from Domain down to Action.
// Parameters: none
MATCH (a:Site|Task|Subtask|Action)-[r:IN|ON|HAS_WAY|HAS_SUBTASK|HAS_ACTION|NEXT|SPECIALIZES]->(b)
RETURN a.key AS start_key, type(r) AS type, b.key AS end_key, r.index AS index, properties(r) AS properties
ORDER BY start_key, type, index, end_key
