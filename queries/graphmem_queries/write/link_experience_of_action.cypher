// Make or update OF from Experience to Action: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Experience {key: row.start})
MATCH (b:Action {key: row.end})
MERGE (a)-[r:OF]->(b)
SET r += row.properties
RETURN count(r) AS linked
