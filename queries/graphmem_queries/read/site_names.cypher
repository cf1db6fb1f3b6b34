// Internal: the names of all sites.
// Parameters: none
MATCH (s:Site)
RETURN s.name AS name, s.key AS key
ORDER BY name, key
