// Internal: every site with its domain.
// Parameters: none
MATCH (s:Site)
OPTIONAL MATCH (s)-[:IN]->(d:Domain)
RETURN s.name AS site, d.name AS domain
ORDER BY site, domain
