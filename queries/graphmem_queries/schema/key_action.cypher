// No two Action nodes have the same key.
// Parameters: none
CREATE CONSTRAINT action_key IF NOT EXISTS FOR (n:Action) REQUIRE n.key IS UNIQUE
