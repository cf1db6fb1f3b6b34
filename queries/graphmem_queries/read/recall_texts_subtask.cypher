// Internal: what is embedded of Subtask nodes: of those without an embedding, or of all.
// Parameters: all
MATCH (n:Subtask)
WHERE $all OR n.embedding IS NULL
RETURN n.key AS key, n.name AS name, n.name AS text
ORDER BY key
