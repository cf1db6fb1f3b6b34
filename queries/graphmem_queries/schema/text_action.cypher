// Action nodes are found by the words of their name and text.
// Parameters: none
CREATE FULLTEXT INDEX action_text IF NOT EXISTS FOR (n:Action) ON EACH [n.name, n.text]
