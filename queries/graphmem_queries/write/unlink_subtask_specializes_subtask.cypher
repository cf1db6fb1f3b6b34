// Remove SPECIALIZES from Subtask to Subtask: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Subtask {key: row.start})-[r:SPECIALIZES]->(b:Subtask {key: row.end})
DELETE r
