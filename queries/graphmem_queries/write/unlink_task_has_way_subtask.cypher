// Remove HAS_WAY from Task to Subtask: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Task {key: row.start})-[r:HAS_WAY]->(b:Subtask {key: row.end})
DELETE r
