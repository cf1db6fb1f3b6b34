// How a site's graph changed since a version of it: how much came and went, and as JSON what took the place of what went.
// Parameters: site = , version = 0
MATCH (r:Revision)
WHERE r.site = $site AND r.version > $version
RETURN r.version AS version, r.at AS at, size(r.added) AS added, size(r.removed) AS removed, r.successors AS successors,
       r.key AS key
ORDER BY version, key
