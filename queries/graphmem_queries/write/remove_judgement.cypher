// Remove Judgement nodes with all their relationships: rows are {key}.
// Parameters: rows
UNWIND $rows AS row
MATCH (n:Judgement {key: row.key})
DETACH DELETE n
