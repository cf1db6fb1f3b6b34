// What was done on a page (its key or pattern), how often, and where it led.
// Parameters: page
MATCH (p:Page)<-[:AT]-(s:Step)
WHERE p.key = $page OR p.pattern = $page
OPTIONAL MATCH (s)-[:LED_TO]->(after:Page)
WITH p, s.op AS op, s.role AS role, s.name AS name, after, count(*) AS times
RETURN p.pattern AS page, op AS op, role AS role, name AS name, after.pattern AS led_to, times AS times, p.key AS page_key,
       after.key AS led_to_key
ORDER BY times DESC, op, role, name, page_key, led_to_key
