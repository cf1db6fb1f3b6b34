// The recordings that are instances of a task (its key or name), newest first.
// Parameters: task
MATCH (r:Trajectory)-[:INSTANCE_OF]->(t:Task)
WHERE t.key = $task OR t.name = $task
RETURN r.task AS instruction, r.judged AS judged, r.recorded_at AS recorded_at, r.length AS steps, t.key AS task_key,
       r.key AS key
ORDER BY recorded_at DESC, key
