// Everything a task (its key or name) is made of: who calls what, at which index, with which bindings; highest first.
// Parameters: task
MATCH (t:Task)-[:HAS_WAY]->(way:Subtask)
WHERE t.key = $task OR t.name = $task
MATCH path = (way)-[:HAS_SUBTASK*0..12]->(parent:Subtask)
WITH parent, min(length(path)) AS depth
MATCH (parent)-[call:HAS_SUBTASK|HAS_ACTION]->(child)
RETURN depth AS depth, parent.name AS parent, parent.kind AS kind, call.index AS index, labels(child)[0] AS label,
       child.name AS child, call.bindings AS bindings, parent.key AS parent_key, child.key AS child_key
ORDER BY depth, parent_key, index, child_key
