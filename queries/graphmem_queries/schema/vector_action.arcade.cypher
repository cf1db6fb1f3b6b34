// Action nodes are found by meaning. ArcadeDB makes vector indexes in its SQL only, with the dimension in the text.
// Parameters: dimension
// Language: sqlscript
CREATE VERTEX TYPE Action IF NOT EXISTS;
CREATE PROPERTY Action.embedding IF NOT EXISTS ARRAY_OF_FLOATS;
CREATE INDEX action_embedding IF NOT EXISTS ON Action (embedding) LSM_VECTOR METADATA {"dimensions": $dimension, "similarity": "COSINE"};
