// Remove AFTER from Experience to Page: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Experience {key: row.start})-[r:AFTER]->(b:Page {key: row.end})
DELETE r
