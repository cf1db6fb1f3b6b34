// Every site's ways of doing the tasks of a domain, by site, most used first.
// Parameters: domain
MATCH (t:Task)-[:ON]->(s:Site)-[:IN]->(:Domain {name: $domain})
MATCH (t)-[w:HAS_WAY]->(way:Subtask)
RETURN s.name AS site, t.name AS task, way.name AS way, w.uses AS uses, w.successes AS successes, w.failures AS failures,
       t.key AS task_key, way.key AS way_key
ORDER BY site, uses DESC, task, task_key, way_key
