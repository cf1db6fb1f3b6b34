// Make or update IN from Site to Domain: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Site {key: row.start})
MATCH (b:Domain {key: row.end})
MERGE (a)-[r:IN]->(b)
SET r += row.properties
RETURN count(r) AS linked
