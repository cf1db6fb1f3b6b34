// Trajectory nodes are found by their site.
// Parameters: none
CREATE INDEX trajectory_site IF NOT EXISTS FOR (n:Trajectory) ON (n.site)
