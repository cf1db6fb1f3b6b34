// The tasks and subtasks of a site that take parameters: JSON lists of name and type.
// Parameters: site
MATCH (n:Task|Subtask)-[:ON]->(:Site {name: $site})
WHERE n.parameters <> '[]'
RETURN labels(n)[0] AS label, n.name AS name, n.parameters AS parameters, n.key AS key
ORDER BY label, name, key
