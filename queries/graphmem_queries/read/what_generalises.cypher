// What is the general form of what: every subtask and action with the general one that it is a special case of.
// Parameters: site =
MATCH (special:Subtask|Action)-[:SPECIALIZES]->(general:Subtask|Action)
WHERE $site = '' OR special.site = $site
RETURN labels(general)[0] AS label, general.name AS general, special.site AS site, special.name AS special,
       general.key AS general_key, special.key AS key
ORDER BY label DESC, general, general_key, site, key
