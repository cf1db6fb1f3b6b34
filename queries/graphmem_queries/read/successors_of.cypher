// What took the place of a node that is gone (its key, or its name): JSON of what went in that change, newest first.
// Parameters: key
MATCH (r:Revision)
WHERE r.successors CONTAINS $key
RETURN r.site AS site, r.version AS version, r.at AS at, r.successors AS successors, r.key AS key
ORDER BY at DESC, key
