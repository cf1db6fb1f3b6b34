// Remove INSTANCE_OF from Trajectory to Task: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Trajectory {key: row.start})-[r:INSTANCE_OF]->(b:Task {key: row.end})
DELETE r
