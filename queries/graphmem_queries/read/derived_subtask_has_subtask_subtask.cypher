// Internal: the HAS_SUBTASK relationships of a site's Subtask nodes to Subtask nodes; of the general layer's where site is empty.
// Parameters: site
MATCH (a:Subtask {site: $site})-[r:HAS_SUBTASK]->(b:Subtask)
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, r.index, end_key
