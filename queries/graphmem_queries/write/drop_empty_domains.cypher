// Remove the domains that no site is in.
// Parameters: none
MATCH (d:Domain)
WHERE NOT EXISTS { MATCH (d)<-[:IN]-() }
DETACH DELETE d
