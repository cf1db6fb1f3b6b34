// Wait until the indexes can be asked: ArcadeDB has them ready at once.
// Parameters: none
RETURN true AS ready
