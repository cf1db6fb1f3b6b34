// Remove SPECIALIZES from Action to Action: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Action {key: row.start})-[r:SPECIALIZES]->(b:Action {key: row.end})
DELETE r
