// Action nodes are found by their site.
// Parameters: none
CREATE INDEX action_site IF NOT EXISTS FOR (n:Action) ON (n.site)
