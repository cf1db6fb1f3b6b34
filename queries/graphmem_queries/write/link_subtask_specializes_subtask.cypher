// Make or update SPECIALIZES from Subtask to Subtask: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Subtask {key: row.start})
MATCH (b:Subtask {key: row.end})
MERGE (a)-[r:SPECIALIZES]->(b)
SET r += row.properties
RETURN count(r) AS linked
