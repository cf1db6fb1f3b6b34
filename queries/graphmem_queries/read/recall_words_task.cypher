// Internal: the Task nodes whose name or text has one of $words, the likest first; on $site where it is not empty.
// Parameters: words, site, limit
CALL db.index.fulltext.queryNodes('task_text', $words) YIELD node AS n, score
WITH n, score
WHERE $site = '' OR n.site = $site OR $site IN n.sites
RETURN n.key AS key, n.name AS name, n.text AS text, n.site AS site, n.sites AS sites, n.parameters AS parameters,
       n.status AS status, n.uses AS uses, n.successes AS successes, n.failures AS failures, n.general AS general
ORDER BY score DESC, key
LIMIT $limit
