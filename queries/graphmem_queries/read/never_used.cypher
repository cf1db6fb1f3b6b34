// Subtasks that no recording used and no other workflow calls.
// Parameters: limit = 50
MATCH (s:Subtask)
WHERE NOT EXISTS { MATCH (:Trajectory)-[:USES]->(s) }
  AND NOT EXISTS { MATCH ()-[:HAS_SUBTASK|HAS_WAY]->(s) }
RETURN s.name AS subtask, s.site AS site, s.general AS general, s.status AS status, s.key AS key
ORDER BY key
LIMIT $limit
