// Task nodes are found by meaning. ArcadeDB makes vector indexes in its SQL only, with the dimension in the text.
// Parameters: dimension
// Language: sqlscript
CREATE VERTEX TYPE Task IF NOT EXISTS;
CREATE PROPERTY Task.embedding IF NOT EXISTS ARRAY_OF_FLOATS;
CREATE INDEX task_embedding IF NOT EXISTS ON Task (embedding) LSM_VECTOR METADATA {"dimensions": $dimension, "similarity": "COSINE"};
