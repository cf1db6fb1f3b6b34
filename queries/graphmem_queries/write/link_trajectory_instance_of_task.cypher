// Make or update INSTANCE_OF from Trajectory to Task: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Trajectory {key: row.start})
MATCH (b:Task {key: row.end})
MERGE (a)-[r:INSTANCE_OF]->(b)
SET r += row.properties
RETURN count(r) AS linked
