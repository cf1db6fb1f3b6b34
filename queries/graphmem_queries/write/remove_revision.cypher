// Remove Revision nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Revision {key: row.key})
DETACH DELETE n
