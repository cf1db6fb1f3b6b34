// The number of the newest migration that this store has been through.
// Parameters: none
MATCH (m:Meta {key: 'store'}) RETURN m.schema AS schema, m.dimension AS dimension ORDER BY m.key
