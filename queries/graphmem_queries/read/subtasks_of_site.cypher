// The subtasks of a site: of which kind, with which slots, how often used; most used first.
// Parameters: site
MATCH (s:Subtask)-[:ON]->(:Site {name: $site})
RETURN s.name AS subtask, s.kind AS kind, s.parameters AS parameters, s.uses AS uses, s.status AS status, s.key AS key
ORDER BY uses DESC, subtask, key
