// Note for an owner that nodes of others, which its relationships may have joined, are gone.
// Parameters: key, gone
MATCH (m:Meta {key: $key})
SET m.gone = coalesce(m.gone, []) + $gone
