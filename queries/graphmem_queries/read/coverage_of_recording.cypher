// How much of a recording (its key, or its instruction) subtasks explain, and the indexes of the steps that none does.
// Parameters: recording
MATCH (r:Trajectory)-[h:HAS_STEP]->(s:Step)
WHERE r.key = $recording OR r.name = $recording
OPTIONAL MATCH (r)-[u:USES]->(w:Subtask)
WHERE u.first <= h.index AND h.index <= u.last AND NOT h.index IN u.residual
WITH r, h.index AS index, count(u) AS uses
ORDER BY index
WITH r, count(*) AS steps, sum(CASE WHEN uses > 0 THEN 1 ELSE 0 END) AS explained,
     collect(CASE WHEN uses = 0 THEN index ELSE null END) AS unexplained
RETURN r.task AS instruction, steps AS steps, explained AS explained, explained * 1.0 / steps AS coverage,
       unexplained AS unexplained, r.key AS key
ORDER BY key
