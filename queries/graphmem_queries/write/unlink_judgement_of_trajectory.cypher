// Remove OF from Judgement to Trajectory: rows are {start, end, properties}. One a pair.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Judgement {key: row.start})-[r:OF]->(b:Trajectory {key: row.end})
DELETE r
