// The workflows that most recordings used, with their record of success.
// Parameters: limit = 20
MATCH (n:Task|Subtask)
WHERE n.uses > 0
RETURN labels(n)[0] AS label, n.name AS name, n.site AS site, n.uses AS uses, n.successes AS successes,
       n.failures AS failures, n.key AS key
ORDER BY uses DESC, key
LIMIT $limit
