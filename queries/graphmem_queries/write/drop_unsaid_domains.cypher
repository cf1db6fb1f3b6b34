// Take sites out of the domains that none of their own recordings names any more.
// Parameters: keys
MATCH (s:Site)-[r:IN]->(d:Domain)
WHERE s.key IN $keys
  AND NOT EXISTS { MATCH (s)<-[:ON]-(t:Trajectory) WHERE t.site = s.name AND t.domain = d.name }
DELETE r
