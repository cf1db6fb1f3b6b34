// Action nodes are found by the words of their name and text. ArcadeDB makes full-text indexes in its SQL only.
// Parameters: none
// Language: sqlscript
CREATE VERTEX TYPE Action IF NOT EXISTS;
CREATE PROPERTY Action.name IF NOT EXISTS STRING;
CREATE PROPERTY Action.text IF NOT EXISTS STRING;
CREATE INDEX action_text IF NOT EXISTS ON Action (name, text) FULL_TEXT;
