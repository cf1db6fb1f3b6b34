// No two Page nodes have the same key.
// Parameters: none
CREATE CONSTRAINT page_key IF NOT EXISTS FOR (n:Page) REQUIRE n.key IS UNIQUE
