// Site nodes are found by their name.
// Parameters: none
CREATE INDEX site_name IF NOT EXISTS FOR (n:Site) ON (n.name)
