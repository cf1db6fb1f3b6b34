// Make or update bookkeeping, from a backup: rows are {key, properties}.
// Parameters: rows
UNWIND $rows AS row
MERGE (m:Meta {key: row.key})
SET m += row.properties
