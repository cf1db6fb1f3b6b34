"""Names for the slots that a program uses: from the field that a value fills, else from the word before it in the instruction.

Slots are proposed under numbers. Those that no rule uses are dropped, the others called as a person would call them; a name
that two would have gets a number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem_induction.programs.rules import Of, Pattern, Rule, Step, Test
from graphmem_induction.programs.wording import Slot
from graphmem_induction.slot_names import slug, unique

Named = tuple[tuple[str, Slot], ...]

#: Names that loops give to what they go over.
_LOOPS = ("item", "row")
_BY_TYPE = {"quoted": "text", "names": "names", "date": "date", "time": "time", "number": "number"}
#: Words before a value that say nothing of it.
_NOTHING = frozenset({"the", "that", "and", "with", "for", "from", "into", "this", "then", "all", "are", "was"})


def named_slots(slots: Named, rules: Sequence[Rule]) -> tuple[Named, tuple[Rule, ...]]:
    """The slots that the rules use under their names, and the rules with these."""
    used = {of.slot for rule in rules for of in _ofs(rule)} | {t.word for r in rules for t in r.tests if t.word}
    taken = {*_LOOPS, *(name for name, slot in slots if slot.type == "said")}
    names: dict[str, str] = {}
    for name, slot in slots:
        if name in used and slot.type != "said":
            names[name] = unique(_field(name, rules) or _before(slot) or _BY_TYPE.get(slot.type, "text"), taken)
            taken.add(names[name])
    kept = tuple((names.get(name, name), slot) for name, slot in slots if name in used)
    return kept, tuple(_rule(rule, names) for rule in rules)


def _field(name: str, rules: Sequence[Rule]) -> str:
    """What the field is called that the slot alone fills."""
    fields = {
        slug(rule.step.pattern.wanted.name)
        for rule in rules
        if rule.step.value == Of(name) and rule.step.op in ("type", "select") and rule.step.pattern.wanted.name
    }
    return fields.pop() if len(fields) == 1 else ""


def _before(slot: Slot) -> str:
    """After an article the word that follows says what it is: "the {} icon"."""
    around = [*slot.left[-1:], *slot.right[:1]] if not slot.type else []
    if around and around[0] not in _NOTHING:
        around = around[:1]
    return next((word for word in around if word.isalpha() and word not in _NOTHING), "")


def _ofs(rule: Rule) -> list[Of]:
    patterns = [rule.step.pattern, *(test.pattern for test in rule.tests if test.pattern)]
    found = [of for pattern in patterns for _, of in pattern.open_]
    found += [rule.step.value] if isinstance(rule.step.value, Of) else []
    return found + [test.than for test in rule.tests if test.than]


def _rule(rule: Rule, names: Mapping[str, str]) -> Rule:
    return replace(rule, step=_step(rule.step, names), tests=tuple(_test(test, names) for test in rule.tests))


def _step(step: Step, names: Mapping[str, str]) -> Step:
    value = _of(step.value, names) if isinstance(step.value, Of) else step.value
    return replace(step, pattern=_pattern(step.pattern, names), value=value)


def _test(test: Test, names: Mapping[str, str]) -> Test:
    word = names.get(test.word, test.word) if test.kind in ("has", "hasnt") else test.word
    pattern = _pattern(test.pattern, names) if test.pattern else None
    return replace(test, word=word, pattern=pattern, than=_of(test.than, names) if test.than else None)


def _pattern(pattern: Pattern, names: Mapping[str, str]) -> Pattern:
    return replace(pattern, open_=tuple((part, _of(of, names)) for part, of in pattern.open_))


def _of(of: Of, names: Mapping[str, str]) -> Of:
    return replace(of, slot=names.get(of.slot, of.slot))
