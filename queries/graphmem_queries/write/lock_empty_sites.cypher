// Take the lock on the sites, of those given, that nothing stands on, so that whoever adds to one is waited for.
// Parameters: keys
MATCH (s:Site)
WHERE s.key IN $keys AND NOT EXISTS { MATCH (s)<-[:ON]-() }
SET s.name = s.name
