// Remove the steps of a trajectory.
// Parameters: key
MATCH (t:Trajectory {key: $key})-[:HAS_STEP]->(s:Step)
DETACH DELETE s
