// Remove USES from Trajectory to Subtask: rows are {start, end, properties}. One a pair and first and last.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Trajectory {key: row.start})-[r:USES {first: row.properties.first, last: row.properties.last}]->(b:Subtask {key: row.end})
DELETE r
