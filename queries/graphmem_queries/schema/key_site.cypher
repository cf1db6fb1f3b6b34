// No two Site nodes have the same key.
// Parameters: none
CREATE CONSTRAINT site_key IF NOT EXISTS FOR (n:Site) REQUIRE n.key IS UNIQUE
