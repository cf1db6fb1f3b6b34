// Workflows that failed, those first that fail most often; of one site, or of all.
// Parameters: site = , limit = 50
MATCH (n:Task|Subtask)
WHERE n.failures > 0 AND ($site = '' OR n.site = $site)
RETURN labels(n)[0] AS label, n.name AS name, n.site AS site, n.failures AS failures, n.successes AS successes,
       n.failures * 1.0 / (n.failures + n.successes) AS rate, n.status AS status, n.key AS key
ORDER BY rate DESC, failures DESC, key
LIMIT $limit
