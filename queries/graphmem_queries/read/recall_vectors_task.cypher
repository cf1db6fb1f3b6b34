// Internal: the stored embeddings of Task nodes ($keys).
// Parameters: keys
MATCH (n:Task)
WHERE n.key IN $keys AND n.embedding IS NOT NULL
RETURN n.key AS key, n.embedding AS embedding
ORDER BY key
