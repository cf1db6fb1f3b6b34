// Subtask nodes are found by meaning.
// Parameters: dimension
CREATE VECTOR INDEX subtask_embedding IF NOT EXISTS FOR (n:Subtask) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine'}}
