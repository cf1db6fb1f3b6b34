// Internal: all sites and domains.
// Parameters: none
MATCH (n:Domain|Site)
RETURN labels(n)[0] AS label, n.name AS name, n.domain AS domain, n.key AS key
ORDER BY label, key
