// Internal: the stored embeddings of Subtask nodes ($keys).
// Parameters: keys
MATCH (n:Subtask)
WHERE n.key IN $keys AND n.embedding IS NOT NULL
RETURN n.key AS key, n.embedding AS embedding
ORDER BY key
