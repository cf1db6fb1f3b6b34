// Write the settings that steer induction, as JSON text.
// Parameters: settings
MERGE (m:Meta {key: 'store'})
SET m.settings = $settings
