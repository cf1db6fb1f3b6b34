// Make or update Page nodes: rows are {key, properties}, now is ISO 8601 UTC text; a null property goes.
// Parameters: rows, now
UNWIND $rows AS row
MERGE (n:Page {key: row.key})
ON CREATE SET n.created = $now
SET n += row.properties, n.updated = $now
