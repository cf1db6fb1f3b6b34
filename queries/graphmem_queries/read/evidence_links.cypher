// Internal: the relationships that tie recordings to steps, pages, judgements and to what was derived from them.
// Parameters: none
MATCH (a:Trajectory|Judgement|Step)-[r:HAS_STEP|OF|INSTANCE_OF|USES|AT|LED_TO]->(b)
RETURN a.key AS start_key, type(r) AS type, b.key AS end_key, r.index AS index, r.first AS first, r.last AS last, properties(r) AS properties
ORDER BY start_key, type, index, first, last, end_key
