// Internal: the Task nodes whose key starts with $prefix (none where it is empty), or whose name is $name in any case.
// Parameters: prefix, name, limit
MATCH (n:Task)
WHERE ($prefix <> '' AND n.key STARTS WITH $prefix) OR toLower(n.name) = $name
RETURN n.key AS key, n.name AS name, n.site AS site
ORDER BY key
LIMIT $limit
