// Page nodes are found by their site.
// Parameters: none
CREATE INDEX page_site IF NOT EXISTS FOR (n:Page) ON (n.site)
