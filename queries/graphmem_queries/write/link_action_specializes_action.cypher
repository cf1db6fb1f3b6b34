// Make or update SPECIALIZES from Action to Action: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Action {key: row.start})
MATCH (b:Action {key: row.end})
MERGE (a)-[r:SPECIALIZES]->(b)
SET r += row.properties
RETURN count(r) AS linked
