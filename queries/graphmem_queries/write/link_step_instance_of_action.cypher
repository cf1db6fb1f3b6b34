// Make or update INSTANCE_OF from Step to Action: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Step {key: row.start})
MATCH (b:Action {key: row.end})
MERGE (a)-[r:INSTANCE_OF]->(b)
SET r += row.properties
RETURN count(r) AS linked
