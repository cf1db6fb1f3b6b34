// Internal: the decision with a key.
// Parameters: key
MATCH (d:Decision {key: $key})
RETURN d.key AS key, properties(d) AS properties
ORDER BY key
