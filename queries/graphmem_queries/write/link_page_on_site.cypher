// Make or update ON from Page to Site: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Page {key: row.start})
MATCH (b:Site {key: row.end})
MERGE (a)-[r:ON]->(b)
SET r += row.properties
RETURN count(r) AS linked
