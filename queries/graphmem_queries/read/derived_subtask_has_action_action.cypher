// Internal: the HAS_ACTION relationships of sites' Subtask nodes to Action nodes; of the general layer's where one is empty.
// Parameters: sites
UNWIND $sites AS site
MATCH (a:Subtask {site: site})-[r:HAS_ACTION]->(b:Action)
RETURN site AS owner, a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, r.index, end_key
