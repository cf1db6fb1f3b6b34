// What exploring found out about a page (its key or pattern): each action that was tried there, and the page that came of it.
// Parameters: page
MATCH (e:Experience)-[:BEFORE]->(p:Page)
WHERE p.key = $page OR p.pattern = $page
OPTIONAL MATCH (e)-[:OF]->(a:Action)
OPTIONAL MATCH (e)-[:AFTER]->(after:Page)
RETURN e.name AS experience, a.op AS op, a.role AS role, a.name AS action, after.pattern AS led_to, p.key AS page_key,
       a.key AS action_key, after.key AS led_to_key, e.key AS key
ORDER BY page_key, experience, key
