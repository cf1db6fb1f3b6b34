// Workflows with a word in their name or text, in any case: a plain search (recall ranks by meaning).
// Parameters: word, limit = 20
MATCH (n:Task|Subtask|Action)
WHERE toLower(n.name) CONTAINS toLower($word) OR toLower(n.text) CONTAINS toLower($word)
RETURN labels(n)[0] AS label, n.name AS name, n.site AS site, n.uses AS uses, n.key AS key
ORDER BY uses DESC, key
LIMIT $limit
