// Internal: the ON relationships of a site's Action nodes to Site nodes; of the general layer's where site is empty.
// Parameters: site
MATCH (a:Action {site: $site})-[r:ON]->(b:Site)
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
