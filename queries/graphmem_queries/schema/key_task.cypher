// No two Task nodes have the same key.
// Parameters: none
CREATE CONSTRAINT task_key IF NOT EXISTS FOR (n:Task) REQUIRE n.key IS UNIQUE
