// Take the lock on the bookkeeping of sites before anything of them is read: rows are {key, site}, sorted by key.
// Parameters: rows
UNWIND $rows AS row
MERGE (m:Meta {key: row.key})
ON CREATE SET m.site = row.site, m.version = 0, m.recordings = 0, m.induced = 0
SET m.lock = true
