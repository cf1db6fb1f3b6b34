// Internal: the nodes of a label whose keys come after one, for a backup.
// Parameters: label, after, limit
MATCH (n)
WHERE labels(n)[0] = $label AND n.key > $after
RETURN n.key AS key, properties(n) AS properties
ORDER BY key
LIMIT $limit
