// Note that the derived graphs of owners were written from the recordings counted so far.
// Parameters: keys
UNWIND $keys AS key
MATCH (m:Meta {key: key})
SET m.version = m.version + 1, m.induced = m.recordings
