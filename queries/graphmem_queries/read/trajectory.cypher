// Internal: one trajectory.
// Parameters: key
MATCH (t:Trajectory {key: $key})
RETURN t.key AS key, properties(t) AS properties
ORDER BY key
