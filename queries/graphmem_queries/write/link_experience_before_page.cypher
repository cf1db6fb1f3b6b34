// Make or update BEFORE from Experience to Page: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Experience {key: row.start})
MATCH (b:Page {key: row.end})
MERGE (a)-[r:BEFORE]->(b)
SET r += row.properties
RETURN count(r) AS linked
