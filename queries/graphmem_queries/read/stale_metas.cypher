// Internal: the sites (and "" for the general layer) whose recordings changed since they were induced.
// Parameters: none
MATCH (m:Meta)
WHERE m.recordings <> m.induced
RETURN m.site AS site, m.key AS key
ORDER BY site, key
