// Remove INSTANCE_OF from Step to Action: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Step {key: row.start})-[r:INSTANCE_OF]->(b:Action {key: row.end})
DELETE r
