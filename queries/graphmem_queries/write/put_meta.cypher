// Make or update bookkeeping, from a backup: rows are {key, properties}. What is kept in short of the graph goes.
// Parameters: rows
UNWIND $rows AS row
MERGE (m:Meta {key: row.key})
SET m += row.properties, m.calls = null, m.rest = null, m.gone = null
