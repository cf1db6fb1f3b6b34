// Internal: the recordings that touch more than one site.
// Parameters: none
MATCH (t:Trajectory) WHERE size(t.sites) > 1
RETURN t.key AS key ORDER BY key
