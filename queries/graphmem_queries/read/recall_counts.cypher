// Internal: how many Task and Subtask nodes there are.
// Parameters: none
MATCH (n:Task|Subtask)
RETURN labels(n)[0] AS label, count(n) AS n
ORDER BY label
