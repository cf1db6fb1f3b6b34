// Task nodes are found by their site.
// Parameters: none
CREATE INDEX task_site IF NOT EXISTS FOR (n:Task) ON (n.site)
