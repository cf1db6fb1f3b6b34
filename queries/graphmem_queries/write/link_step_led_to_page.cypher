// Make or update LED_TO from Step to Page: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Step {key: row.start})
MATCH (b:Page {key: row.end})
MERGE (a)-[r:LED_TO]->(b)
SET r += row.properties
RETURN count(r) AS linked
