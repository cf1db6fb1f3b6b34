// Internal: the number of relationships of each type.
// Parameters: none
MATCH ()-[r]->()
WITH type(r) AS type, count(*) AS n
RETURN type, n
ORDER BY type
