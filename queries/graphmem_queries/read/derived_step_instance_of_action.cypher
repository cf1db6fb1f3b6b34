// Internal: the INSTANCE_OF relationships of a site's Step nodes to Action nodes; of the general layer's where site is empty.
// Parameters: site
MATCH (a:Step {site: $site})-[r:INSTANCE_OF]->(b:Action)
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
