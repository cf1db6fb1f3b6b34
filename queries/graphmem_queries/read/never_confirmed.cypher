// Workflows in use of which nobody knows whether they work: no recording of them is judged a success or a failure.
// Parameters: limit = 50
MATCH (n:Task|Subtask)
WHERE n.uses > 0 AND n.successes = 0 AND n.failures = 0
RETURN labels(n)[0] AS label, n.name AS name, n.site AS site, n.uses AS uses, n.status AS status, n.key AS key
ORDER BY uses DESC, key
LIMIT $limit
