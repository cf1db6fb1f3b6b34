// Make or update HAS_SUBTASK from Subtask to Subtask: rows are {start, end, properties}. One a pair and index.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Subtask {key: row.start})
MATCH (b:Subtask {key: row.end})
MERGE (a)-[r:HAS_SUBTASK {index: row.properties.index}]->(b)
SET r += row.properties
RETURN count(r) AS linked
