// Internal: all decisions in full, earliest first.
// Parameters: none
MATCH (d:Decision)
RETURN d.at AS at, properties(d) AS properties, d.key AS key
ORDER BY at, key
