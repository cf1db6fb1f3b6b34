// The recorded steps that an action (its key or name) was derived from, with the value of each.
// Parameters: action, limit = 50
MATCH (s:Step)-[:INSTANCE_OF]->(a:Action)
WHERE a.key = $action OR a.name = $action
MATCH (r:Trajectory)-[:HAS_STEP]->(s)
RETURN r.task AS instruction, s.index AS index, s.name AS name, s.value AS value, s.url AS url, a.key AS action_key,
       r.key AS recording_key, s.key AS key
ORDER BY action_key, recording_key, index, key
LIMIT $limit
