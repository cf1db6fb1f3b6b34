// Internal: the derived graphs of owners as they are kept in short, and the keys of nodes that went from under them.
// Parameters: keys
UNWIND $keys AS key
MATCH (m:Meta {key: key})
RETURN m.calls AS calls, m.rest AS rest, m.gone AS gone, key AS key
ORDER BY key
