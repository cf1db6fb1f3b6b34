// The tasks, subtasks and actions of a site that came since a version of its graph and are still there, newest first.
// Parameters: site = , version = 0
MATCH (r:Revision)
WHERE r.site = $site AND r.version > $version
UNWIND r.added AS added
WITH r, added
MATCH (n:Task|Subtask|Action {key: added})
RETURN r.version AS version, labels(n)[0] AS label, n.name AS name, n.status AS status, n.uses AS uses, n.key AS key
ORDER BY version DESC, label DESC, name, key
