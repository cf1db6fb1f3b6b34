// Remove Experience nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Experience {key: row.key})
DETACH DELETE n
