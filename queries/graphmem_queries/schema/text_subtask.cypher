// Subtask nodes are found by the words of their name and text.
// Parameters: none
CREATE FULLTEXT INDEX subtask_text IF NOT EXISTS FOR (n:Subtask) ON EACH [n.name, n.text]
