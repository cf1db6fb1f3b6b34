// Remove AT from Step to Page: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Step {key: row.start})-[r:AT]->(b:Page {key: row.end})
DELETE r
