// Internal: the recordings that a Task, Subtask or Action was derived from.
// Parameters: key, limit
MATCH (n:Task|Subtask|Action {key: $key})<-[:INSTANCE_OF|USES]-(x)
WITH DISTINCT coalesce(x.trajectory, x.key) AS trajectory
MATCH (t:Trajectory {key: trajectory})
RETURN t.key AS key, t.task AS task, t.judged AS judged
ORDER BY key
LIMIT $limit
