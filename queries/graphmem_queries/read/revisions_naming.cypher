// Internal: the revisions in which something went whose key or name contains a text, newest first.
// Parameters: text
MATCH (r:Revision)
WHERE r.successors CONTAINS $text
RETURN r.successors AS successors, r.at AS at, r.key AS key
ORDER BY at DESC, key
