// Remove Trajectory nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Trajectory {key: row.key})
DETACH DELETE n
