// Internal: what routines and actions of owners are and call, as it is kept in short.
// Parameters: keys
UNWIND $keys AS key
MATCH (m:Meta {key: key})
RETURN m.calls AS calls, key AS key
ORDER BY key
