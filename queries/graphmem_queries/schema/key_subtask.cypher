// No two Subtask nodes have the same key.
// Parameters: none
CREATE CONSTRAINT subtask_key IF NOT EXISTS FOR (n:Subtask) REQUIRE n.key IS UNIQUE
