// Remove Site nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Site {key: row.key})
DETACH DELETE n
