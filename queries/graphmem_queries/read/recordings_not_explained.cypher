// Recordings that no task came of: failures, and what induction left out.
// Parameters: limit = 50
MATCH (r:Trajectory)
WHERE NOT EXISTS { MATCH (r)-[:INSTANCE_OF]->(:Task) }
RETURN r.task AS instruction, r.site AS site, r.judged AS judged, r.length AS steps, r.key AS key
ORDER BY site, key
LIMIT $limit
