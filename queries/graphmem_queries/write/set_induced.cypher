// Note that the derived graph of an owner was written from the recordings counted so far.
// Parameters: key
MATCH (m:Meta {key: $key})
SET m.version = m.version + 1, m.induced = m.recordings
