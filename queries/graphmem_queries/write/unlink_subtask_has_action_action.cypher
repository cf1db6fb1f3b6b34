// Remove HAS_ACTION from Subtask to Action: rows are {start, end, properties}. One a pair and index.
// Parameters: rows
UNWIND $rows AS row
MATCH (a:Subtask {key: row.start})-[r:HAS_ACTION {index: row.properties.index}]->(b:Action {key: row.end})
DELETE r
