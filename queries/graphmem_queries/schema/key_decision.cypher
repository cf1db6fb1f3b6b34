// No two Decision nodes have the same key.
// Parameters: none
CREATE CONSTRAINT decision_key IF NOT EXISTS FOR (n:Decision) REQUIRE n.key IS UNIQUE
