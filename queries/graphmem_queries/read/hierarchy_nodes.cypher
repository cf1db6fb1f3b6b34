// Internal: every node of the hierarchy, from Domain down to Action.
// Parameters: none
MATCH (n:Domain|Site|Task|Subtask|Action)
RETURN labels(n)[0] AS label, n.key AS key, properties(n) AS properties
ORDER BY key
