// Set the embeddings of Subtask nodes: rows are {key, embedding}, a list of numbers.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Subtask {key: row.key})
SET n.embedding = row.embedding
