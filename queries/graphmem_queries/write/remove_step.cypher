// Remove Step nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Step {key: row.key})
DETACH DELETE n
