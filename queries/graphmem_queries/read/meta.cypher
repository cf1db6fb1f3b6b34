// Internal: the bookkeeping of one owner of derived nodes.
// Parameters: key
MATCH (m:Meta {key: $key})
RETURN m.key AS key, m.version AS version, m.recordings AS recordings, m.induced AS induced, m.settings AS settings
ORDER BY key
