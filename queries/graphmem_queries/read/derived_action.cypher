// Internal: the Action nodes of a site; of the general layer where site is empty.
// Parameters: site
MATCH (n:Action {site: $site})
RETURN n.key AS key, n {.*, embedding: null} AS properties
ORDER BY key
