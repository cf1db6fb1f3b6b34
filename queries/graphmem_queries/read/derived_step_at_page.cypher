// Internal: the AT relationships of sites' Step nodes to Page nodes; of the general layer's where one is empty.
// Parameters: sites
UNWIND $sites AS site
MATCH (a:Step {site: site})-[r:AT]->(b:Page)
RETURN site AS owner, a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
