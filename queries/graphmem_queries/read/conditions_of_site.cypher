// What held before and after every use of a site's subtasks: JSON lists of conditions.
// Parameters: site
MATCH (s:Subtask)-[:ON]->(:Site {name: $site})
WHERE s.preconditions <> '[]' OR s.postconditions <> '[]'
RETURN s.name AS subtask, s.preconditions AS before, s.postconditions AS after, s.key AS key
ORDER BY subtask, key
