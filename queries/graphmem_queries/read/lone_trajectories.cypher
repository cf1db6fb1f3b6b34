// Internal: trajectories on no site.
// Parameters: none
MATCH (t:Trajectory)
WHERE NOT EXISTS { MATCH (t)-[:ON]->(:Site) }
RETURN t.key AS key
ORDER BY key
