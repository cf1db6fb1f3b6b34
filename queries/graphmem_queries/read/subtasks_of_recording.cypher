// Which steps of a recording (its key, or its instruction) were which subtask, and what its slots were bound to.
// Parameters: recording
MATCH (r:Trajectory)-[u:USES]->(s:Subtask)
WHERE r.key = $recording OR r.name = $recording
RETURN u.first AS first, u.last AS last, s.name AS subtask, u.bindings AS bindings, u.residual AS residual,
       r.key AS recording_key, s.key AS key
ORDER BY recording_key, first, last DESC, key
