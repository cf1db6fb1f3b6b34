// Remove Decision nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Decision {key: row.key})
DETACH DELETE n
