// Internal: the trajectories that touch a site.
// Parameters: site
MATCH (t:Trajectory)-[:ON]->(s:Site {key: $site})
RETURN t.key AS key, properties(t) AS properties
ORDER BY key
