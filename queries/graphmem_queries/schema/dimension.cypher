// Record how many numbers the vectors of this store have.
// Parameters: dimension, now
MATCH (m:Meta {key: 'store'}) SET m.dimension = $dimension, m.updated = $now
