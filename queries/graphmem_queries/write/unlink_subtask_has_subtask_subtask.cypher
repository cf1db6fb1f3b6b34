// Remove HAS_SUBTASK from Subtask to Subtask: rows are {start, end, properties}. One a pair and index.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Subtask {key: row.start})-[r:HAS_SUBTASK {index: row.properties.index}]->(b:Subtask {key: row.end})
DELETE r
