// Make or update ON from Subtask to Site: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Subtask {key: row.start})
MATCH (b:Site {key: row.end})
MERGE (a)-[r:ON]->(b)
SET r += row.properties
RETURN count(r) AS linked
