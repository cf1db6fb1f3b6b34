// Internal: steps of no trajectory.
// Parameters: none
MATCH (s:Step)
WHERE NOT EXISTS { MATCH (:Trajectory)-[:HAS_STEP]->(s) }
RETURN s.key AS key
ORDER BY key
