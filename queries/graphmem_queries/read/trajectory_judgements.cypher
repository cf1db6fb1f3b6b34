// Internal: what was judged of one trajectory.
// Parameters: key
MATCH (j:Judgement)-[:OF]->(t:Trajectory {key: $key})
RETURN j.key AS key, j.by AS by, j.verdict AS verdict, j.reward AS reward, j.at AS at
ORDER BY key
