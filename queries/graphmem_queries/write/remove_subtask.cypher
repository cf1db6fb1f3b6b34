// Remove Subtask nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Subtask {key: row.key})
DETACH DELETE n
