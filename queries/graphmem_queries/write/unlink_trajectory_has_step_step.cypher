// Remove HAS_STEP from Trajectory to Step: rows are {start, end, properties}. One a pair and index.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Trajectory {key: row.start})-[r:HAS_STEP {index: row.properties.index}]->(b:Step {key: row.end})
DELETE r
