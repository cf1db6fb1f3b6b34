// Remove IN from Site to Domain: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Site {key: row.start})-[r:IN]->(b:Domain {key: row.end})
DELETE r
