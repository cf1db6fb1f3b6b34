// Internal: the steps, as recorded, of trajectories.
// Parameters: keys
UNWIND $keys AS wanted
MATCH (t:Trajectory {key: wanted})-[h:HAS_STEP]->(s:Step)
RETURN t.key AS trajectory, h.index AS index, s.data AS data, s.key AS key
ORDER BY trajectory, index, key
