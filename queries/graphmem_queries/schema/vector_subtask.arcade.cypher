// Subtask nodes are found by meaning. ArcadeDB makes vector indexes in its SQL only, with the dimension in the text.
// Parameters: dimension
// Language: sqlscript
CREATE VERTEX TYPE Subtask IF NOT EXISTS;
CREATE PROPERTY Subtask.embedding IF NOT EXISTS ARRAY_OF_FLOATS;
CREATE INDEX subtask_embedding IF NOT EXISTS ON Subtask (embedding) LSM_VECTOR METADATA {"dimensions": $dimension, "similarity": "COSINE"};
