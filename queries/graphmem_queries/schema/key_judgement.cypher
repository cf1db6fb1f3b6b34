// No two Judgement nodes have the same key.
// Parameters: none
CREATE CONSTRAINT judgement_key IF NOT EXISTS FOR (n:Judgement) REQUIRE n.key IS UNIQUE
