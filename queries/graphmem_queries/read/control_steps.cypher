// Subtasks that repeat, wait for something or may be left out (each, until, optional, any_order, choose), and their rule as JSON.
// Parameters: site =
MATCH (s:Subtask)
WHERE s.kind <> 'sequence' AND ($site = '' OR s.site = $site)
RETURN s.site AS site, s.kind AS kind, s.name AS subtask, s.spec AS spec, s.uses AS uses, s.key AS key
ORDER BY site, kind, subtask, key
