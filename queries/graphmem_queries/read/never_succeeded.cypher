// Workflows without one success, most failures first.
// Parameters: limit = 50
MATCH (n:Task|Subtask)
WHERE n.successes = 0
RETURN labels(n)[0] AS label, n.name AS name, n.site AS site, n.status AS status, n.uses AS uses, n.failures AS failures,
       n.key AS key
ORDER BY failures DESC, key
LIMIT $limit
