// What was judged of a recording (its key, or its instruction), and by whom.
// Parameters: recording
MATCH (j:Judgement)-[:OF]->(r:Trajectory)
WHERE r.key = $recording OR r.name = $recording
RETURN j.at AS at, j.by AS by, j.verdict AS verdict, j.reward AS reward, r.key AS recording_key, j.key AS key
ORDER BY recording_key, at, key
