// Internal: the relationships that start at the nodes of a label whose keys come after one, for a backup.
// Parameters: label, after, limit
MATCH (n)
WHERE labels(n)[0] = $label AND n.key > $after
WITH n
ORDER BY n.key
LIMIT $limit
MATCH (n)-[r]->(b)
RETURN n.key AS start_key, type(r) AS type, labels(b)[0] AS target, b.key AS end_key, r.index AS index, r.first AS first,
       r.last AS last, properties(r) AS properties
ORDER BY start_key, type, index, first, last, end_key
