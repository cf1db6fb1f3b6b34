// Internal: the steps of one trajectory, as recorded.
// Parameters: key
MATCH (t:Trajectory {key: $key})-[h:HAS_STEP]->(s:Step)
RETURN t.key AS trajectory, h.index AS index, s.data AS data, s.key AS key
ORDER BY trajectory, index, key
