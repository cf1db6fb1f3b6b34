// Internal: the NEXT relationships of a site's Action nodes to Action nodes; of the general layer's where site is empty.
// Parameters: site
MATCH (a:Action {site: $site})-[r:NEXT]->(b:Action)
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
