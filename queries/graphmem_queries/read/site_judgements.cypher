// Internal: what was judged of all trajectories that touch a site.
// Parameters: site
MATCH (j:Judgement)-[:OF]->(t:Trajectory)
MATCH (t)-[:ON]->(:Site {key: $site})
RETURN t.key AS trajectory, j.by AS by, j.verdict AS verdict, j.reward AS reward, j.at AS at, j.key AS key
ORDER BY trajectory, key
