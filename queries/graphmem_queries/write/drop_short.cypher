// Drop what is kept in short of the derived graphs of owners, where their relationships went with a recording.
// Parameters: keys
UNWIND $keys AS key
MATCH (m:Meta {key: key})
SET m.calls = null, m.rest = null, m.gone = null
