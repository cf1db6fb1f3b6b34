// Wait until the indexes can be asked: full-text and vector indexes fill in the background.
// Parameters: none
CALL db.awaitIndexes(60)
