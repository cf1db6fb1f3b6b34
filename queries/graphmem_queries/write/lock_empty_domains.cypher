// Take the lock on the domains that no site is in, so that whoever adds a site to one is waited for before it is removed.
// Parameters: none
MATCH (d:Domain)
WHERE NOT EXISTS { MATCH (d)<-[:IN]-() }
SET d.name = d.name
