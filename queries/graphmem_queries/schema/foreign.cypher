// One node that is not bookkeeping, to tell a database that is empty from one that belongs to somebody else.
// Parameters: none
MATCH (n) WHERE NOT n:Meta RETURN labels(n) AS labels LIMIT 1
