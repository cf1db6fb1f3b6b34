// Set each site's domain property to the first by name of the domains that it is in, or to nothing.
// Parameters: keys
MATCH (s:Site)
WHERE s.key IN $keys
OPTIONAL MATCH (s)-[:IN]->(d:Domain)
WITH s, min(d.name) AS domain
SET s.domain = coalesce(domain, '')
