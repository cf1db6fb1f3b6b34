// Internal: what nodes with some keys were before they went, the newest revision first.
// Parameters: keys
MATCH (r:Revision)
WHERE any(gone IN r.removed WHERE gone IN $keys)
RETURN r.at AS at, r.version AS version, r.removed AS removed, r.content AS content, r.key AS key
ORDER BY at DESC, version DESC, key
