// Internal: the LED_TO relationships of a site's Step nodes to Page nodes; of the general layer's where site is empty.
// Parameters: site
MATCH (a:Step {site: $site})-[r:LED_TO]->(b:Page)
RETURN a.key AS start_key, b.key AS end_key, properties(r) AS properties
ORDER BY start_key, end_key
