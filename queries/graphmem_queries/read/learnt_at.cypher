// Internal: the recordings that were learnt together, by when.
// Parameters: at
MATCH (t:Trajectory {learned: $at})
RETURN t.task AS task, t.key AS key
ORDER BY key
