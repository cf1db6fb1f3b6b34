// What was done after an action (its key or name), most often first.
// Parameters: action
MATCH (a:Action)-[n:NEXT]->(b:Action)
WHERE a.key = $action OR a.name = $action
RETURN a.name AS action, b.op AS op, b.role AS role, b.name AS next, n.count AS count, a.key AS action_key, b.key AS key
ORDER BY count DESC, action_key, key
