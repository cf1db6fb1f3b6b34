// Remove Task nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Task {key: row.key})
DETACH DELETE n
