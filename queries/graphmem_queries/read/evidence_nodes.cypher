// Internal: every recording, what was judged of it, and every page.
// Parameters: none
MATCH (n:Trajectory|Judgement|Page)
RETURN labels(n)[0] AS label, n.key AS key, properties(n) AS properties
ORDER BY key
