// Internal: what is embedded of Task nodes: of those without an embedding, or of all.
// Parameters: all
MATCH (n:Task)
WHERE $all OR n.embedding IS NULL
RETURN n.key AS key, n.name AS name, n.text AS text
ORDER BY key
