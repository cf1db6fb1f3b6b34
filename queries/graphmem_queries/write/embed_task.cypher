// Set the embeddings of Task nodes: rows are {key, embedding}, a list of numbers.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Task {key: row.key})
SET n.embedding = row.embedding
