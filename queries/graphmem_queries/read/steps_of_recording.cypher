// The steps of a recording (its key, or its instruction), with the action that each is an instance of.
// Parameters: recording
MATCH (r:Trajectory)-[h:HAS_STEP]->(s:Step)
WHERE r.key = $recording OR r.name = $recording
OPTIONAL MATCH (s)-[:INSTANCE_OF]->(a:Action)
RETURN h.index AS index, s.op AS op, s.role AS role, s.name AS name, s.value AS value, s.url AS url,
       a.key AS action_key, r.key AS recording_key, s.key AS key
ORDER BY recording_key, index, key
