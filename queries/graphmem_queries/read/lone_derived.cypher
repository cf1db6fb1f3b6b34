// Internal: derived nodes whose site is not one that they are on.
// Parameters: none
MATCH (n:Task|Subtask|Action|Page)
WHERE coalesce(n.site, '?') <> '' AND NOT EXISTS { MATCH (n)-[:ON]->(s:Site) WHERE s.name = n.site }
RETURN n.key AS key
ORDER BY key
