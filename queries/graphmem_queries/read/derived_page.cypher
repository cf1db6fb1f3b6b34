// Internal: the Page nodes of sites; of the general layer where one is empty.
// Parameters: sites
UNWIND $sites AS site
MATCH (n:Page {site: site})
RETURN site AS owner, n.key AS key, properties(n) AS properties
ORDER BY key
