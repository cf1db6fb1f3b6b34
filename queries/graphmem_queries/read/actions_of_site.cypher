// The actions of a site: what is done to which element, what stays open, how many workflows use it.
// Parameters: site
MATCH (a:Action)-[:ON]->(:Site {name: $site})
OPTIONAL MATCH (s:Subtask)-[:HAS_ACTION]->(a)
WITH a, count(DISTINCT s) AS subtasks
RETURN a.op AS op, a.role AS role, a.name AS action, a.slots AS slots, subtasks AS subtasks, a.uses AS uses, a.key AS key
ORDER BY uses DESC, op, role, action, key
