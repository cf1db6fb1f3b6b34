// Action nodes are found by meaning.
// Parameters: dimension
CREATE VECTOR INDEX action_embedding IF NOT EXISTS FOR (n:Action) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine'}}
