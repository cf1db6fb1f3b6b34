// Pairs of subtasks that use the same actions, most in common first; of one site, or of all.
// Parameters: site = , limit = 20
MATCH (s:Subtask)-[:HAS_ACTION]->(a:Action)<-[:HAS_ACTION]-(other:Subtask)
WHERE s.key < other.key AND ($site = '' OR s.site = $site)
WITH s, other, count(DISTINCT a) AS shared
RETURN s.name AS subtask, other.name AS other, shared AS shared, s.site AS site, s.key AS subtask_key, other.key AS other_key
ORDER BY shared DESC, subtask_key, other_key
LIMIT $limit
