// Internal: the revisions of an owner ("" the general layer), the newest first.
// Parameters: site
MATCH (r:Revision {site: $site})
RETURN r.version AS version, r.at AS at, r.added AS added, r.successors AS successors, r.changed AS changed,
       r.recordings_added AS recordings_added, r.recordings_removed AS recordings_removed, r.decisions AS decisions,
       r.key AS key
ORDER BY version DESC, key
