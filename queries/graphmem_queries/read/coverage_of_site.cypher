// How much of each recording of a site subtasks explain, the least explained first.
// Parameters: site, limit = 50
MATCH (r:Trajectory)-[:ON]->(:Site {name: $site})
MATCH (r)-[h:HAS_STEP]->(s:Step)
OPTIONAL MATCH (r)-[u:USES]->(w:Subtask)
WHERE u.first <= h.index AND h.index <= u.last AND NOT h.index IN u.residual
WITH r, h.index AS index, count(u) AS uses
WITH r, count(*) AS steps, sum(CASE WHEN uses > 0 THEN 1 ELSE 0 END) AS explained
RETURN r.task AS instruction, r.judged AS judged, steps AS steps, explained AS explained,
       explained * 1.0 / steps AS coverage, r.key AS key
ORDER BY coverage, key
LIMIT $limit
