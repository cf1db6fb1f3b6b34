// Actions that two or more subtasks use, most shared first; of one site, or of all.
// Parameters: site = , limit = 20
MATCH (s:Subtask)-[:HAS_ACTION]->(a:Action)
WHERE $site = '' OR a.site = $site
WITH a, count(DISTINCT s) AS subtasks
WHERE subtasks > 1
RETURN a.site AS site, a.op AS op, a.role AS role, a.name AS action, subtasks AS subtasks, a.uses AS uses, a.key AS key
ORDER BY subtasks DESC, key
LIMIT $limit
