// Internal: the USES relationships to a site's Subtask nodes; to the general layer's where site is empty.
// Parameters: site
MATCH (a:Trajectory)-[r:USES]->(b:Subtask {site: $site})
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, r.first, r.last, end_key
