// Internal: which labels each type of relationship joins, and how often.
// Parameters: none
MATCH (a)-[r]->(b)
WITH labels(a)[0] AS source, type(r) AS type, labels(b)[0] AS target, count(*) AS n
RETURN source, type, target, n
ORDER BY source, type, target
