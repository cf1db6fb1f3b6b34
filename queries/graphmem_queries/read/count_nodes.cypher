// Internal: the number of nodes of each label.
// Parameters: none
MATCH (n)
UNWIND labels(n) AS label
WITH label, count(*) AS n
RETURN label, n
ORDER BY label
