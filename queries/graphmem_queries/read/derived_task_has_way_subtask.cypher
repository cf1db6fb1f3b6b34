// Internal: the HAS_WAY relationships of a site's Task nodes to Subtask nodes; of the general layer's where site is empty.
// Parameters: site
MATCH (a:Task {site: $site})-[r:HAS_WAY]->(b:Subtask)
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
