// Record that this store has been through a migration.
// Parameters: schema, now
MERGE (m:Meta {key: 'store'})
ON CREATE SET m.name = 'store', m.created = $now
SET m.schema = $schema, m.updated = $now
