// The tasks and subtasks of a status: draft, active, stale or quarantined.
// Parameters: status, limit = 50
MATCH (n:Task|Subtask)
WHERE n.status = $status
RETURN labels(n)[0] AS label, n.name AS name, n.site AS site, n.uses AS uses, n.successes AS successes,
       n.failures AS failures, n.key AS key
ORDER BY site, label DESC, name, key
LIMIT $limit
