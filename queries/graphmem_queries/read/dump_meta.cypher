// Internal: the bookkeeping of every site, of the general layer, and of the store itself.
// Parameters: none
MATCH (m:Meta)
RETURN m.site AS site, m.version AS version, m.recordings AS recordings, m.induced AS induced, m.settings AS settings,
       m.schema AS schema, m.dimension AS dimension, m.key AS key
ORDER BY key
