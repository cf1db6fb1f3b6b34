// What changed of a site (of the general layer where it is empty) since a version: how much came and went, and successors.
// Parameters: site, version = 0
MATCH (r:Revision)
WHERE r.site = $site AND r.version > $version
RETURN r.version AS version, r.at AS at, r.name AS name, r.added AS added, r.removed AS removed,
       r.successors AS successors, r.key AS key
ORDER BY version, key
