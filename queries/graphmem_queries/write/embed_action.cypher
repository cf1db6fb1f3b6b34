// Set the embeddings of Action nodes: rows are {key, embedding}, a list of numbers.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Action {key: row.key})
SET n.embedding = row.embedding
