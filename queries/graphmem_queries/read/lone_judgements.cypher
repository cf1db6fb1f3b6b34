// Internal: judgements of nothing.
// Parameters: none
MATCH (j:Judgement)
WHERE NOT EXISTS { MATCH (j)-[:OF]->(:Trajectory) }
RETURN j.key AS key
ORDER BY key
