"""Programs from demonstrations: ordered rules over instruction and page, and the workflows that they are lowered to.

reading    a recording as the acts that a program must account for
examples   a recording as states: the page, what was done there, the instruction
wording    slots of the instructions of one task, found by what stands around them
rules      the forms of rules: steps, patterns, tests
candidates the rules that there is reason for; table: what each says in every state
learn      the list of rules that explains the demonstrations at the fewest bits
lower      a list of rules as a workflow; replay: a workflow held against demonstrations
"""
