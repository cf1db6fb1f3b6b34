// Tasks whose embedding is nearest to a vector: as many numbers as the store's embedder makes. Wants graphmem's embeddings.
// Parameters: vector, limit = 10
CALL db.index.vector.queryNodes('task_embedding', $limit, $vector) YIELD node, score
RETURN node.name AS task, node.site AS site, score AS score, node.key AS key
ORDER BY score DESC, key
