// The recordings that touch a site, newest first.
// Parameters: site
MATCH (r:Trajectory)-[:ON]->(:Site {name: $site})
RETURN r.task AS instruction, r.judged AS judged, r.recorded_at AS recorded_at, r.length AS steps, r.key AS key
ORDER BY recorded_at DESC, key
