// Internal: the NEXT relationships of sites' Action nodes to Action nodes; of the general layer's where one is empty.
// Parameters: sites
UNWIND $sites AS site
MATCH (a:Action {site: site})-[r:NEXT]->(b:Action)
RETURN site AS owner, a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
