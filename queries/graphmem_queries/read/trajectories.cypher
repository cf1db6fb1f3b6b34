// Internal: some trajectories.
// Parameters: keys
UNWIND $keys AS wanted
MATCH (t:Trajectory {key: wanted})
RETURN t.key AS key, properties(t) AS properties
ORDER BY key
