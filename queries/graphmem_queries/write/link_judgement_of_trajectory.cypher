// Make or update OF from Judgement to Trajectory: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Judgement {key: row.start})
MATCH (b:Trajectory {key: row.end})
MERGE (a)-[r:OF]->(b)
SET r += row.properties
RETURN count(r) AS linked
