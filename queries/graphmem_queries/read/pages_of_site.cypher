// The pages of a site: how many recorded steps were done on each, and how many led to it.
// Parameters: site
MATCH (p:Page)-[:ON]->(:Site {name: $site})
RETURN p.pattern AS pattern, p.title AS title,
       COUNT { MATCH (p)<-[:AT]-(:Step) } AS steps,
       COUNT { MATCH (p)<-[:LED_TO]-(:Step) } AS led_to,
       p.key AS key
ORDER BY steps DESC, pattern, key
