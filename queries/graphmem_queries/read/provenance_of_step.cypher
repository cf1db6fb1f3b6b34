// Where a recorded step (its key) comes from and what became of it: recording, tool, page, action, task, subtasks.
// Parameters: step
MATCH (r:Trajectory)-[h:HAS_STEP]->(s:Step {key: $step})
OPTIONAL MATCH (s)-[:AT]->(p:Page)
OPTIONAL MATCH (s)-[:INSTANCE_OF]->(a:Action)
OPTIONAL MATCH (r)-[:INSTANCE_OF]->(t:Task)
OPTIONAL MATCH (r)-[u:USES]->(w:Subtask)
WHERE u.first <= h.index AND h.index <= u.last AND NOT h.index IN u.residual
RETURN r.task AS instruction, r.run_id AS run_id, r.recorded_at AS recorded_at, r.judged AS judged, r.source AS source,
       h.index AS index, s.op AS op, s.name AS name, p.pattern AS page, a.name AS action, t.name AS task, w.name AS subtask,
       r.key AS recording_key, a.key AS action_key, t.key AS task_key, w.key AS subtask_key
ORDER BY recording_key, index, action_key, task_key, subtask_key
