// Task nodes are found by the words of their name and text. ArcadeDB makes full-text indexes in its SQL only.
// Parameters: none
// Language: sqlscript
CREATE VERTEX TYPE Task IF NOT EXISTS;
CREATE PROPERTY Task.name IF NOT EXISTS STRING;
CREATE PROPERTY Task.text IF NOT EXISTS STRING;
CREATE INDEX task_text IF NOT EXISTS ON Task (name, text) FULL_TEXT;
