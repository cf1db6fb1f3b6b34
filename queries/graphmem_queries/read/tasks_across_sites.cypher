// Tasks that are done on more than one site.
// Parameters: none
MATCH (t:Task)-[:ON]->(s:Site)
WITH t, count(s) AS n
WHERE n > 1
RETURN t.name AS task, t.sites AS sites, t.uses AS uses, t.key AS key
ORDER BY task, key
