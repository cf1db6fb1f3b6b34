"""A list of rules as a workflow.

The list itself is ``until`` with {} around a ``choose`` of ``optional``s: again and again the first rule that has something
to do, until none has. Where the demonstrations took the rules one after the other, the workflow is that sequence, which
people read better: a step, an ``optional``, an ``each``, an ``until``; it stands where it explains as many of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from graphmem.model.identity import canonical
from graphmem.model.selection import Wanted
from graphmem.model.target import Near, Target, pairs
from graphmem.model.workflow import Action, Bindings, Child, FromSlot, Parameter, Value, Workflow
from graphmem_induction.programs.examples import Demonstration
from graphmem_induction.programs.replay import explains
from graphmem_induction.programs.rules import Of, Pattern, Rule, Step, Test

Types = Mapping[str, str]


def listed(rules: Sequence[Rule], types: Types, site: str = "") -> Workflow:
    """The rules as they were learned: the first that applies, again and again."""
    if not rules:
        return Workflow("sequence", (), site=site)
    choices = tuple(_call(_choice(group, types, site), types) for group in grouped(rules))
    choose = _around("choose", choices, types, site)
    return _around("until", (_call(choose, types),), types, site)


def grouped(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Rules whose order is free together."""
    groups: list[list[Rule]] = []
    for rule in rules:
        if rule.joined and groups:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    return groups


def _choice(group: Sequence[Rule], types: Types, site: str) -> Workflow:
    if len(group) == 1:
        return _optional(group[0], types, site)
    parts = tuple(_call(_optional(rule, types, site), types) for rule in group)
    free = _call(_around("any_order", parts, types, site), types)
    return _around("optional", (free,), types, site)


def _optional(rule: Rule, types: Types, site: str) -> Workflow:
    spec: dict[str, Any] = {}
    if rule.tests:
        spec["when"] = condition_of(rule.tests)
    if rule.step.again:
        spec["again"] = True
    used = {of.slot for test in rule.tests for of in _ofs_of_test(test)}
    return _around("optional", (action_call(rule.step, site),), types, site, spec, used)


def _around(
    kind: Any, children: tuple[Child, ...], types: Types, site: str, spec: Mapping[str, Any] | None = None,
    used: Iterable[str] = (),
) -> Workflow:  # fmt: skip
    """A control step with the slots that its children and its condition use as its parameters."""
    slots = set(used) | {b.slot for child in children for _, b in child.bindings if isinstance(b, FromSlot)}
    params = tuple(Parameter(slot, types.get(slot, "text")) for slot in sorted(slots))
    return Workflow(kind, children, params, canonical(spec or {}), site=site)


def _call(workflow: Workflow, types: Types) -> Child:
    return Child(workflow, tuple((p.name, FromSlot(p.name)) for p in workflow.parameters))


def action_call(step: Step, site: str) -> Child:
    """The step as an action and what its open parts are bound to."""
    wanted, open_ = step.pattern.wanted, dict(step.pattern.open_)
    bindings = {"position" if part == "nth" else part: FromSlot(of.slot, of.transform) for part, of in open_.items()}
    value = step.value if isinstance(step.value, str) else ""
    if isinstance(step.value, Of):
        bindings["value"] = FromSlot(step.value.slot, step.value.transform)
    action = Action(
        op=step.op,
        target=_target(wanted) if step.pattern != Pattern(Wanted()) else None,
        value=value,
        slots=tuple(sorted(bindings)),
        match=wanted.match,
        site=site,
        pick=_pick(step),
    )
    return Child(action, _sorted(bindings))


def _sorted(bindings: Mapping[str, FromSlot]) -> Bindings:
    return tuple(sorted(bindings.items()))


def _target(wanted: Wanted) -> Target:
    attributes = pairs({"icon": wanted.icon}) if wanted.icon else ()
    name, text = (wanted.name, "") if wanted.role else ("", wanted.name)
    return Target(
        role=wanted.role, name=name, text=text, tag=wanted.tag, attributes=attributes, near=Near(row=wanted.row)
    )


def _pick(step: Step) -> str:
    wanted = step.pattern.wanted
    if wanted.extreme:
        return canonical({wanted.extreme: wanted.reading})
    if wanted.nth:
        return canonical({"nth": wanted.nth})
    return canonical({"any": True}) if step.spread == "all" else ""


# -- conditions -------------------------------------------------------------------------------------------------------


def condition_of(tests: Sequence[Test]) -> dict[str, Any]:
    forms = [_condition(test) for test in tests]
    return forms[0] if len(forms) == 1 else {"all": forms}


def _condition(test: Test) -> dict[str, Any]:
    if test.kind in ("said", "has"):
        return {"said": test.word}
    if test.kind in ("unsaid", "hasnt"):
        return {"unsaid": test.word}
    element = element_json(test.pattern) if test.pattern else {}
    if test.kind in ("less", "more"):
        than = _text(test.than) if test.than else ""
        return {test.kind: {"shown": element, "than": than, "read": test.reading}}
    return {test.kind: element}


def _ofs_of_test(test: Test) -> list[Of]:
    found = [of for _, of in test.pattern.open_] if test.pattern else []
    found += [test.than] if test.than else []
    return found + ([Of(test.word)] if test.word else [])


def element_json(pattern: Pattern) -> dict[str, Any]:
    w = pattern.wanted
    parts: dict[str, Any] = {
        "role": w.role,
        "tag": w.tag,
        "icon": w.icon,
        "name": w.name,
        "ends": w.ends,
        "row": w.row,
        "value": w.value,
    }
    parts |= {"position" if part == "nth" else part: _text(of) for part, of in pattern.open_}
    found = {key: part for key, part in parts.items() if part}
    if w.match != "exact":
        found["match"] = w.match
    if w.state:
        found["state"] = {w.state[0]: w.state[1]}
    if w.extreme or w.nth:
        found["pick"] = {w.extreme: w.reading} if w.extreme else {"nth": w.nth}
    return found


def _text(of: Of) -> dict[str, str]:
    return {"slot": of.slot} | ({"transform": of.transform} if of.transform else {})


# -- as a sequence -----------------------------------------------------------------------------------------------------


def sequenced(
    groups: Sequence[Sequence[Rule]], fired: Sequence[Sequence[int]], types: Types, site: str = ""
) -> Workflow | None:
    """The rules one after the other, where every demonstration took them in one order; ``fired``: the numbers of the rules
    that it took, act by act. None where they have no such order."""
    of_rule = [n for n, group in enumerate(groups) for _ in group]
    first = [of_rule.index(n) for n in range(len(groups))]
    order = _order(len(groups), [[of_rule[number] for number in numbers] for numbers in fired])
    if order is None or not any(fired):
        return None
    children = []
    for n in order:
        counts = [{list(numbers).count(first[n] + m) for numbers in fired} for m in range(len(groups[n]))]
        stages = tuple(_stage(rule, c, types, site) for rule, c in zip(groups[n], counts, strict=True) if c != {0})
        free = _call(_around("any_order", stages, types, site), types)
        children.append(free if len(stages) > 1 else stages[0])
    return _around("sequence", tuple(children), types, site)


def _order(count: int, fired: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
    """The rules that fired, each once, such that no demonstration goes back; ties as they are listed."""
    before = {(a, b) for numbers in fired for a, b in pairwise(numbers) if a != b}
    left, order = [n for n in range(count) if any(n in numbers for numbers in fired)], []
    while left:
        free = [n for n in left if not any((m, n) in before for m in left if m != n)]
        if not free:
            return None
        order.append(free[0])
        left.remove(free[0])
    places = {n: at for at, n in enumerate(order)}
    rising = all(places[a] <= places[b] for numbers in fired for a, b in pairwise(numbers))
    return tuple(order) if rising else None


_OPPOSITE = {"present": "absent", "absent": "present", "said": "unsaid"}


def _stage(rule: Rule, counts: set[int], types: Types, site: str) -> Child:
    """A rule as one part of a sequence; ``counts``: how often a demonstration took it."""
    step, used = rule.step, {of.slot for test in rule.tests for of in _ofs_of_test(test)}
    each = _each(step, types, site)
    body = (each,) if each else (action_call(step, site),)
    spec = {"when": condition_of(rule.tests)} if rule.tests else {}
    if max(counts) > 1 and not each:
        test = rule.tests[0] if len(rule.tests) == 1 else None
        if test is not None and test.kind in _OPPOSITE:
            opposite = Test(_OPPOSITE[test.kind], test.word, test.pattern)
            until = {"until": condition_of((opposite,))}
            return _call(_around("until", body, types, site, until, used), types)
        inner = _call(_around("optional", body, types, site, spec, used), types) if spec else body[0]
        if step.again:
            return _call(_around("until", (inner,), types, site), types)
        choice = _call(_around("choose", (_call(_optional(rule, types, site), types),), types, site), types)
        return _call(_around("until", (choice,), types, site), types)
    if counts == {1} or (each and not rule.tests):
        return body[0]
    return _call(_around("optional", body, types, site, spec, used), types)


def _each(step: Step, types: Types, site: str) -> Child | None:
    """``each`` over the items of a list that the step names, or over the rows of the page where any of several is taken."""
    lists = [(part, of) for part, of in step.pattern.open_ if types.get(of.slot) == "list" and not of.transform]
    if len(lists) == 1 and not step.again:
        part, of = lists[0]
        open_ = tuple((p, Of("item") if (p, o) == (part, of) else o) for p, o in step.pattern.open_)
        inner = Step(step.op, Pattern(step.pattern.wanted, open_), step.value, False, "one")
        spec = {"over": of.slot, "as": "item"}
        loop = _around("each", (action_call(inner, site),), types, site, spec, {of.slot})
        return _call(_without(loop, "item"), types)
    if isinstance(step.value, Of) and types.get(step.value.slot) == "list" and not step.value.transform:
        inner = Step(step.op, step.pattern, Of("item"), False, "one")
        spec = {"over": step.value.slot, "as": "item"}
        loop = _around("each", (action_call(inner, site),), types, site, spec, {step.value.slot})
        return _call(_without(loop, "item"), types)
    if step.spread == "all" and not any(part == "nth" for part, _ in step.pattern.open_):
        wanted = step.pattern.wanted
        inner = Step(step.op, Pattern(wanted, (*step.pattern.open_, ("nth", Of("row")))), step.value, False, "one")
        loop = _around(
            "each", (action_call(inner, site),), types, site, {"rows": element_json(step.pattern), "as": "row"}
        )
        return _call(_without(loop, "row"), types)
    return None


def _without(loop: Workflow, slot: str) -> Workflow:
    return Workflow(
        loop.kind, loop.children, tuple(p for p in loop.parameters if p.name != slot), loop.spec, site=loop.site
    )


# -- which of the two --------------------------------------------------------------------------------------------------


def lower(
    rules: Sequence[Rule], shown: Sequence[Demonstration], values: Sequence[Mapping[str, Value]], types: Types,
    site: str = "",
) -> Workflow:  # fmt: skip
    """The workflow of a list of rules: the sequence where it explains as many of the demonstrations."""
    plain, groups = listed(rules, types, site), grouped(rules)
    found = [explains(plain, dict(v), d) for d, v in zip(shown, values, strict=True)]
    numbers = {_optional(rule, types, site).key: n for n, rule in enumerate(rule for group in groups for rule in group)}
    fired = [[next(numbers[key] for key in path if key in numbers) for path in e.path] for e in found if e.whole]
    sequence = sequenced(groups, fired, types, site)
    if sequence is None:
        return plain
    again = [explains(sequence, dict(v), d) for d, v in zip(shown, values, strict=True)]
    better = (sum(e.whole for e in again), sum(e.acts for e in again)) >= (
        sum(e.whole for e in found), sum(e.acts for e in found),
    )  # fmt: skip
    return sequence if better else plain
