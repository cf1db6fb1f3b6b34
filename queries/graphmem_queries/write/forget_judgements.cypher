// Remove what was judged of a trajectory.
// Parameters: key
MATCH (j:Judgement)-[:OF]->(t:Trajectory {key: $key})
DETACH DELETE j
