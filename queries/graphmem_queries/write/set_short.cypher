// Keep in short the derived graphs of owners: rows are {key, calls, rest}, by the key of their bookkeeping.
// Parameters: rows
UNWIND $rows AS row
MATCH (m:Meta {key: row.key})
SET m.calls = row.calls, m.rest = row.rest, m.gone = null
