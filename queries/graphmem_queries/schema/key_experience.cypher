// No two Experience nodes have the same key.
// Parameters: none
CREATE CONSTRAINT experience_key IF NOT EXISTS FOR (n:Experience) REQUIRE n.key IS UNIQUE
