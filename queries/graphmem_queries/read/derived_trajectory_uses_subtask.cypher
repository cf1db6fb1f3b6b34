// Internal: the USES relationships to sites' Subtask nodes; to the general layer's where one is empty.
// Parameters: sites
UNWIND $sites AS site
MATCH (b:Subtask {site: site})<-[r:USES]-(a:Trajectory)
RETURN site AS owner, a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, r.first, r.last, end_key
