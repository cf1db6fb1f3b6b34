// Recorded steps of a site that no action came of: what cleaning dropped, and what only failures did.
// Parameters: site, limit = 50
MATCH (s:Step {site: $site})
WHERE NOT EXISTS { MATCH (s)-[:INSTANCE_OF]->(:Action) }
RETURN s.op AS op, s.role AS role, s.name AS name, s.index AS index, s.trajectory AS recording_key, s.key AS key
ORDER BY recording_key, index, key
LIMIT $limit
