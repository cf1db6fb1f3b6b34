// Task nodes are found by the words of their name and text.
// Parameters: none
CREATE FULLTEXT INDEX task_text IF NOT EXISTS FOR (n:Task) ON EACH [n.name, n.text]
