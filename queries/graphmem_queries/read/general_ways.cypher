// The general subtasks and which site's way is a special case of each.
// Parameters: none
MATCH (special:Subtask)-[:SPECIALIZES]->(general:Subtask {general: true})
RETURN general.name AS general, special.site AS site, special.name AS way, special.uses AS uses,
       general.key AS general_key, special.key AS key
ORDER BY general, general_key, site, key
