// How to come from one page to another (keys or patterns) by what recordings did, in the fewest steps; at most six.
// Parameters: start, end, limit = 1
MATCH (a:Page), (b:Page)
WHERE (a.key = $start OR a.pattern = $start) AND (b.key = $end OR b.pattern = $end) AND a.key <> b.key
WITH b, a AS at, a.pattern AS path, 0 AS steps
OPTIONAL MATCH (at)<-[:AT]-(s:Step)-[:LED_TO]->(next:Page)
WHERE at.key <> b.key AND next.key <> at.key
WITH b, coalesce(next, at) AS at, steps + CASE WHEN next IS NULL THEN 0 ELSE 1 END AS steps,
     min(path + coalesce(' > ' + s.op + ' ' + s.name + ' > ' + next.pattern, '')) AS path
OPTIONAL MATCH (at)<-[:AT]-(s:Step)-[:LED_TO]->(next:Page)
WHERE at.key <> b.key AND next.key <> at.key
WITH b, coalesce(next, at) AS at, steps + CASE WHEN next IS NULL THEN 0 ELSE 1 END AS steps,
     min(path + coalesce(' > ' + s.op + ' ' + s.name + ' > ' + next.pattern, '')) AS path
OPTIONAL MATCH (at)<-[:AT]-(s:Step)-[:LED_TO]->(next:Page)
WHERE at.key <> b.key AND next.key <> at.key
WITH b, coalesce(next, at) AS at, steps + CASE WHEN next IS NULL THEN 0 ELSE 1 END AS steps,
     min(path + coalesce(' > ' + s.op + ' ' + s.name + ' > ' + next.pattern, '')) AS path
OPTIONAL MATCH (at)<-[:AT]-(s:Step)-[:LED_TO]->(next:Page)
WHERE at.key <> b.key AND next.key <> at.key
WITH b, coalesce(next, at) AS at, steps + CASE WHEN next IS NULL THEN 0 ELSE 1 END AS steps,
     min(path + coalesce(' > ' + s.op + ' ' + s.name + ' > ' + next.pattern, '')) AS path
OPTIONAL MATCH (at)<-[:AT]-(s:Step)-[:LED_TO]->(next:Page)
WHERE at.key <> b.key AND next.key <> at.key
WITH b, coalesce(next, at) AS at, steps + CASE WHEN next IS NULL THEN 0 ELSE 1 END AS steps,
     min(path + coalesce(' > ' + s.op + ' ' + s.name + ' > ' + next.pattern, '')) AS path
OPTIONAL MATCH (at)<-[:AT]-(s:Step)-[:LED_TO]->(next:Page)
WHERE at.key <> b.key AND next.key <> at.key
WITH b, coalesce(next, at) AS at, steps + CASE WHEN next IS NULL THEN 0 ELSE 1 END AS steps,
     min(path + coalesce(' > ' + s.op + ' ' + s.name + ' > ' + next.pattern, '')) AS path
WITH b, at, path, steps
WHERE at.key = b.key
RETURN path AS path, steps AS steps, b.key AS key
ORDER BY steps, path, key
LIMIT $limit
