// All sites, with their domain and how much is known of each.
// Parameters: none
MATCH (s:Site)
RETURN s.name AS site, s.domain AS domain,
       COUNT { MATCH (s)<-[:ON]-(:Trajectory) } AS recordings,
       COUNT { MATCH (s)<-[:ON]-(:Task) } AS tasks,
       COUNT { MATCH (s)<-[:ON]-(:Subtask) } AS subtasks,
       COUNT { MATCH (s)<-[:ON]-(:Action) } AS actions,
       s.key AS key
ORDER BY site, key
