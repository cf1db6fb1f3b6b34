// Remove Domain nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Domain {key: row.key})
DETACH DELETE n
