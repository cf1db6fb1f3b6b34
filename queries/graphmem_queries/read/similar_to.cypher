// Tasks that mean much the same as a task (its key or name), by the embeddings that the store holds, likest first.
// Parameters: task, limit = 10
MATCH (t:Task)
WHERE (t.key = $task OR t.name = $task) AND t.embedding IS NOT NULL
CALL db.index.vector.queryNodes('task_embedding', $limit, t.embedding) YIELD node, score
WITH t, node, score
WHERE node.key <> t.key
RETURN t.name AS task, node.name AS similar, node.site AS site, score AS score, t.key AS task_key, node.key AS key
ORDER BY task_key, score DESC, key
