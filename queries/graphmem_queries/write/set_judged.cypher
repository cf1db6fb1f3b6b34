// Set a trajectory's effective verdict.
// Parameters: key, judged, now
MATCH (t:Trajectory {key: $key})
SET t.judged = $judged, t.updated = $now
