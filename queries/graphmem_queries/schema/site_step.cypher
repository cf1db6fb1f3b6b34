// Step nodes are found by their site.
// Parameters: none
CREATE INDEX step_site IF NOT EXISTS FOR (n:Step) ON (n.site)
