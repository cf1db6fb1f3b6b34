// Which values an action (its key or name) had in recordings, and how often: what was typed, chosen or pressed there.
// Parameters: action
MATCH (s:Step)-[:INSTANCE_OF]->(a:Action)
WHERE a.key = $action OR a.name = $action
WITH a, s.value AS value, s.name AS name, count(*) AS times
RETURN a.op AS op, a.name AS action, name AS element, value AS value, times AS times, a.key AS key
ORDER BY times DESC, element, value, key
