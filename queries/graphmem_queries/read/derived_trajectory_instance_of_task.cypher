// Internal: the INSTANCE_OF relationships to a site's Task nodes; to the general layer's where site is empty.
// Parameters: site
MATCH (a:Trajectory)-[r:INSTANCE_OF]->(b:Task {site: $site})
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
