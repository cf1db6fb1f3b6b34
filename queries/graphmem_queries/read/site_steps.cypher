// Internal: the steps, as recorded, of all trajectories that touch a site.
// Parameters: site
MATCH (t:Trajectory)-[:ON]->(site:Site {key: $site})
MATCH (t)-[h:HAS_STEP]->(s:Step)
RETURN t.key AS trajectory, h.index AS index, s.data AS data, s.key AS key
ORDER BY trajectory, index, key
