// Remove BEFORE from Experience to Page: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Experience {key: row.start})-[r:BEFORE]->(b:Page {key: row.end})
DELETE r
