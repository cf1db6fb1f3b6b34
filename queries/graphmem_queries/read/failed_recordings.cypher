// The recordings that are judged failures, with the task of each where there is one; of one site, or of all; newest first.
// Parameters: site = , limit = 50
MATCH (r:Trajectory)
WHERE r.judged = 'failure' AND ($site = '' OR $site IN r.sites)
OPTIONAL MATCH (r)-[:INSTANCE_OF]->(t:Task)
RETURN r.task AS instruction, r.site AS site, t.name AS task, r.reward AS reward, r.recorded_at AS recorded_at,
       r.length AS steps, r.key AS key
ORDER BY recorded_at DESC, key
LIMIT $limit
