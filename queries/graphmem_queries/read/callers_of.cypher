// Who calls a subtask or an action (its key or name), and where.
// Parameters: called
MATCH (caller:Subtask)-[call:HAS_SUBTASK|HAS_ACTION]->(child:Subtask|Action)
WHERE child.key = $called OR child.name = $called
RETURN caller.name AS caller, call.index AS index, call.bindings AS bindings, child.name AS called, caller.site AS site,
       child.key AS called_key, caller.key AS caller_key
ORDER BY caller_key, index, called_key
