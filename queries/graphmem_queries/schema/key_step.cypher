// No two Step nodes have the same key.
// Parameters: none
CREATE CONSTRAINT step_key IF NOT EXISTS FOR (n:Step) REQUIRE n.key IS UNIQUE
