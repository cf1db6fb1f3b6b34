// The tasks of all sites of a domain.
// Parameters: domain
MATCH (t:Task)-[:ON]->(s:Site)-[:IN]->(:Domain {name: $domain})
RETURN s.name AS site, t.name AS task, t.parameters AS parameters, t.uses AS uses, t.status AS status, t.key AS key
ORDER BY site, task, key
