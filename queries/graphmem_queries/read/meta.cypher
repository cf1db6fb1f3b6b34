// Internal: the bookkeeping of owners of derived nodes, and the settings (of the key store).
// Parameters: keys
UNWIND $keys AS key
MATCH (m:Meta {key: key})
RETURN m.version AS version, m.recordings AS recordings, m.induced AS induced, m.settings AS settings, key AS key
ORDER BY key
