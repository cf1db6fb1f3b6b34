// No two Revision nodes have the same key.
// Parameters: none
CREATE CONSTRAINT revision_key IF NOT EXISTS FOR (n:Revision) REQUIRE n.key IS UNIQUE
