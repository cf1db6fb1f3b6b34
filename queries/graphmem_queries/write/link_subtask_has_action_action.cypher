// Make or update HAS_ACTION from Subtask to Action: rows are {start, end, properties}. One a pair and index.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Subtask {key: row.start})
MATCH (b:Action {key: row.end})
MERGE (a)-[r:HAS_ACTION {index: row.properties.index}]->(b)
SET r += row.properties
RETURN count(r) AS linked
