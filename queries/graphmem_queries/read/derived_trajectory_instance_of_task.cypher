// Internal: the INSTANCE_OF relationships to sites' Task nodes; to the general layer's where one is empty.
// Parameters: sites
UNWIND $sites AS site
MATCH (b:Task {site: site})<-[r:INSTANCE_OF]-(a:Trajectory)
RETURN site AS owner, a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
