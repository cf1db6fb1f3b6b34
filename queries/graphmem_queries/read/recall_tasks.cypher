// Internal: what recall scores of Task nodes: all, or those on $site where it is not empty.
// Parameters: site
MATCH (n:Task)
WHERE $site = '' OR n.site = $site OR $site IN n.sites
RETURN n.key AS key, n.name AS name, n.text AS text, n.site AS site, n.sites AS sites, n.parameters AS parameters,
       n.status AS status, n.uses AS uses, n.successes AS successes, n.failures AS failures, n.general AS general
ORDER BY key
