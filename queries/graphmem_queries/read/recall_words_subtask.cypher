// Internal: the Subtask nodes whose name or text has one of $words, the likest first; on $site where it is not empty.
// Parameters: words, site, limit
CALL db.index.fulltext.queryNodes('subtask_text', $words) YIELD node AS n, score
WITH n, score
WHERE $site = '' OR n.site = $site OR n.general = true
RETURN n.key AS key, n.name AS name, n.text AS text, n.site AS site, n.kind AS kind, n.parameters AS parameters,
       n.status AS status, n.uses AS uses, n.successes AS successes, n.failures AS failures, n.general AS general
ORDER BY score DESC, key
LIMIT $limit
