// Actions with any of some words in their name or text, by the full-text index, likest first. Signs and operators are not read.
// Parameters: text, limit = 20
WITH reduce(t = $text, c IN split('+ - & | ! ( ) { } [ ] ^ " ~ * ? : \\ / < > =', ' ') | replace(t, c, ' ')) AS plain
CALL db.index.fulltext.queryNodes('action_text', toLower(plain) + ' _') YIELD node, score
RETURN node.name AS action, node.site AS site, score AS score, node.key AS key
ORDER BY score DESC, key
LIMIT $limit
