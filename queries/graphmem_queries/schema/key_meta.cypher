// No two Meta nodes have the same key.
// Parameters: none
CREATE CONSTRAINT meta_key IF NOT EXISTS FOR (n:Meta) REQUIRE n.key IS UNIQUE
