// Internal: the ON relationships of sites' Subtask nodes to Site nodes; of the general layer's where one is empty.
// Parameters: sites
UNWIND $sites AS site
MATCH (a:Subtask {site: site})-[r:ON]->(b:Site)
RETURN site AS owner, a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
