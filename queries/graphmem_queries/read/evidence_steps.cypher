// Internal: the steps of all recordings in short, without what was seen.
// Parameters: none
MATCH (n:Step)
RETURN n.key AS key, n.name AS name, n.index AS index, n.site AS site, n.op AS op, n.role AS role, n.value AS value
ORDER BY key
