// Make or update HAS_WAY from Task to Subtask: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Task {key: row.start})
MATCH (b:Subtask {key: row.end})
MERGE (a)-[r:HAS_WAY]->(b)
SET r += row.properties
RETURN count(r) AS linked
