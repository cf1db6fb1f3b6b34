// What people decided (merges, names, edits, quarantines, rollbacks), the newest first.
// Parameters: limit = 50
MATCH (d:Decision)
RETURN d.at AS at, d.kind AS kind, d.site AS site, d.label AS label, d.what AS what, d.by AS by, d.note AS note,
       d.key AS key
ORDER BY at DESC, key
LIMIT $limit
