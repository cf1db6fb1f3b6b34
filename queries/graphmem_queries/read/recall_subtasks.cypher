// Internal: what recall scores of Subtask nodes: all, or those of $site and general ones where it is not empty.
// Parameters: site
MATCH (n:Subtask)
WHERE $site = '' OR n.site = $site OR n.general = true
RETURN n.key AS key, n.name AS name, n.text AS text, n.site AS site, n.kind AS kind, n.parameters AS parameters,
       n.status AS status, n.uses AS uses, n.successes AS successes, n.failures AS failures, n.general AS general
ORDER BY key
