// Remove the sites, of those given, that nothing stands on.
// Parameters: keys
MATCH (s:Site)
WHERE s.key IN $keys AND NOT EXISTS { MATCH (s)<-[:ON]-() }
DETACH DELETE s
