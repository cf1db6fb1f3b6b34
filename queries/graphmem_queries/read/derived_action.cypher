// Internal: the Action nodes of sites; of the general layer where one is empty.
// Parameters: sites
UNWIND $sites AS site
MATCH (n:Action {site: site})
RETURN site AS owner, n.key AS key, n {.*, embedding: null} AS properties
ORDER BY key
