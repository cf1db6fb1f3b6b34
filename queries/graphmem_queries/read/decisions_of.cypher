// Internal: what was decided about sites (the general layer is called ""), earliest first.
// Parameters: sites
MATCH (d:Decision)
WHERE d.site IN $sites
RETURN d.at AS at, properties(d) AS properties, d.key AS key
ORDER BY at, key
