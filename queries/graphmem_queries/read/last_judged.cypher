// Internal: the newest judgements that are no recorded outcomes.
// Parameters: limit
MATCH (j:Judgement)-[:OF]->(t:Trajectory)
WHERE j.by <> 'recording'
RETURN j.at AS at, j.by AS by, j.verdict AS verdict, t.key AS recording, t.task AS task, j.key AS key
ORDER BY at DESC, key
LIMIT $limit
