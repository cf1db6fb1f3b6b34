// Subtasks that two or more subtasks or tasks call, most shared first; of one site, or of all.
// Parameters: site = , limit = 20
MATCH (caller:Task|Subtask)-[:HAS_WAY|HAS_SUBTASK]->(s:Subtask)
WHERE $site = '' OR s.site = $site
WITH s, count(DISTINCT caller) AS callers
WHERE callers > 1
RETURN s.site AS site, s.name AS subtask, s.kind AS kind, callers AS callers, s.uses AS uses, s.key AS key
ORDER BY callers DESC, key
LIMIT $limit
