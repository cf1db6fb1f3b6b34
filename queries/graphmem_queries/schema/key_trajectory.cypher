// No two Trajectory nodes have the same key.
// Parameters: none
CREATE CONSTRAINT trajectory_key IF NOT EXISTS FOR (n:Trajectory) REQUIRE n.key IS UNIQUE
