// No two Domain nodes have the same key.
// Parameters: none
CREATE CONSTRAINT domain_key IF NOT EXISTS FOR (n:Domain) REQUIRE n.key IS UNIQUE
