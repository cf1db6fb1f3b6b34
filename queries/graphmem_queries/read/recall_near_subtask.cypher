// Internal: the Subtask nodes whose embedding is nearest to $vector; of these the ones on $site where it is not empty.
// Parameters: vector, site, limit
CALL db.index.vector.queryNodes('subtask_embedding', $limit, $vector) YIELD node AS n, score
WITH n, score
WHERE $site = '' OR n.site = $site OR n.general = true
RETURN n.key AS key, n.name AS name, n.text AS text, n.site AS site, n.kind AS kind, n.parameters AS parameters,
       n.status AS status, n.uses AS uses, n.successes AS successes, n.failures AS failures, n.general AS general
ORDER BY score DESC, key
