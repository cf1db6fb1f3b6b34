// Internal: the keys of what was decided about sites (the general layer is called "").
// Parameters: sites
MATCH (d:Decision)
WHERE d.site IN $sites
RETURN d.site AS site, d.key AS key
ORDER BY site, key
