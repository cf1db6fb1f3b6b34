// The tasks of a site and its ways of doing each, most used first.
// Parameters: site
MATCH (t:Task)-[:ON]->(:Site {name: $site})
MATCH (t)-[w:HAS_WAY]->(s:Subtask)
RETURN t.name AS task, s.name AS way, s.kind AS kind, w.uses AS uses, w.successes AS successes, w.failures AS failures,
       t.status AS status, t.key AS task_key, s.key AS way_key
ORDER BY uses DESC, task, task_key, way_key
