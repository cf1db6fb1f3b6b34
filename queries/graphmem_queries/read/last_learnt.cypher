// Internal: when recordings were last learnt.
// Parameters: none
MATCH (t:Trajectory)
WHERE t.learned IS NOT NULL
RETURN max(t.learned) AS key
ORDER BY key
