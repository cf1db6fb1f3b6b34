// Remove ON from Action to Site: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Action {key: row.start})-[r:ON]->(b:Site {key: row.end})
DELETE r
