// What corresponds on other sites to a subtask or an action (its key or name), through what they have in common.
// Parameters: called
MATCH (mine:Subtask|Action)-[:SPECIALIZES]->(general:Subtask|Action)<-[:SPECIALIZES]-(theirs:Subtask|Action)
WHERE (mine.key = $called OR mine.name = $called) AND mine.site <> theirs.site
RETURN mine.site AS site, mine.name AS mine, theirs.site AS other_site, theirs.name AS theirs, general.name AS general,
       mine.key AS mine_key, theirs.key AS key
ORDER BY site, mine, mine_key, other_site, key
