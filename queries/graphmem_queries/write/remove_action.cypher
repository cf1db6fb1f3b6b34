// Remove Action nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Action {key: row.key})
DETACH DELETE n
