// The revisions that say what became of a key, or what it came from: successors is JSON; newest first.
// Parameters: key
MATCH (r:Revision)
WHERE r.successors CONTAINS $key
RETURN r.site AS site, r.version AS version, r.at AS at, r.successors AS successors, r.key AS key
ORDER BY at DESC, key
