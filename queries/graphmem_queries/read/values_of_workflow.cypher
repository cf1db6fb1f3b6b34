// Which values the slots of a subtask, or of the ways of a task (its key or name), had in recordings: JSON, newest first.
// Parameters: workflow, limit = 50
MATCH (n:Task|Subtask)
WHERE n.key = $workflow OR n.name = $workflow
MATCH (n)-[:HAS_WAY*0..1]->(s:Subtask)<-[u:USES]-(r:Trajectory)
RETURN s.name AS subtask, u.bindings AS bindings, r.task AS instruction, r.recorded_at AS recorded_at, u.first AS first,
       u.last AS last, s.key AS subtask_key, r.key AS key
ORDER BY recorded_at DESC, subtask_key, first, last, key
LIMIT $limit
