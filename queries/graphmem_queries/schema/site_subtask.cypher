// Subtask nodes are found by their site.
// Parameters: none
CREATE INDEX subtask_site IF NOT EXISTS FOR (n:Subtask) ON (n.site)
