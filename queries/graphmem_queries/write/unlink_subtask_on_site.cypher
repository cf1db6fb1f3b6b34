// Remove ON from Subtask to Site: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Subtask {key: row.start})-[r:ON]->(b:Site {key: row.end})
DELETE r
