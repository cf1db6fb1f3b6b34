// Subtask nodes are found by the words of their name and text. ArcadeDB makes full-text indexes in its SQL only.
// Parameters: none
// Language: sqlscript
CREATE VERTEX TYPE Subtask IF NOT EXISTS;
CREATE PROPERTY Subtask.name IF NOT EXISTS STRING;
CREATE PROPERTY Subtask.text IF NOT EXISTS STRING;
CREATE INDEX subtask_text IF NOT EXISTS ON Subtask (name, text) FULL_TEXT;
