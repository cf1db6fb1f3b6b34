// Count a change of the recordings of sites (and of their version): rows are {key, site}, sorted by key.
// Parameters: rows
UNWIND $rows AS row
MERGE (m:Meta {key: row.key})
ON CREATE SET m.site = row.site, m.version = 0, m.recordings = 0, m.induced = 0
SET m.recordings = m.recordings + 1, m.version = m.version + 1
