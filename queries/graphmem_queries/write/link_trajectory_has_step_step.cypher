// Make or update HAS_STEP from Trajectory to Step: rows are {start, end, properties}. One a pair and index.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Trajectory {key: row.start})
MATCH (b:Step {key: row.end})
MERGE (a)-[r:HAS_STEP {index: row.properties.index}]->(b)
SET r += row.properties
RETURN count(r) AS linked
