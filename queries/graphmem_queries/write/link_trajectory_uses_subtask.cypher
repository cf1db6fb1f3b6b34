// Make or update USES from Trajectory to Subtask: rows are {start, end, properties}. One a pair and first and last.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Trajectory {key: row.start})
MATCH (b:Subtask {key: row.end})
MERGE (a)-[r:USES {first: row.properties.first, last: row.properties.last}]->(b)
SET r += row.properties
RETURN count(r) AS linked
