// Remove OF from Experience to Action: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Experience {key: row.start})-[r:OF]->(b:Action {key: row.end})
DELETE r
