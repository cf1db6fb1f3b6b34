// Remove LED_TO from Step to Page: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Step {key: row.start})-[r:LED_TO]->(b:Page {key: row.end})
DELETE r
