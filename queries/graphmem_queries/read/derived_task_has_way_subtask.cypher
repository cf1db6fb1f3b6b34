// Internal: the HAS_WAY relationships of sites' Task nodes to Subtask nodes; of the general layer's where one is empty.
// Parameters: sites
UNWIND $sites AS site
MATCH (a:Task {site: site})-[r:HAS_WAY]->(b:Subtask)
RETURN site AS owner, a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
