// Remove Page nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Page {key: row.key})
DETACH DELETE n
