// Internal: which of these trajectories are stored.
// Parameters: keys
UNWIND $keys AS key
MATCH (t:Trajectory {key: key})
RETURN t.key AS key
ORDER BY key
