"""Stitch (Bowers et al., POPL 2023; ``stitch-core`` on PyPI) on the planted corpora, as a peer in the same run.

A recording becomes a right-nested list, ``(click_button name (type_textbox name end))``, so that an abstraction is a run of
steps with holes for names and one for what follows. Its result is read back into parts and events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.planted_corpus import Exactly, Open, Part, Step
from benchmarks.planted_score import END, SUPPORT, Event, Finding, Found

ROUNDS, ARITY = 50, 3

Tree = str | list["Tree"]


@dataclass(frozen=True)
class _Abstraction:
    name: str
    body: Tree


def stitch(recordings: Sequence[Sequence[Step]]) -> Found:
    return _found(*abstracted(recordings))


def abstracted(recordings: Sequence[Sequence[Step]]) -> tuple[dict[str, _Abstraction], list[Tree]]:
    """The abstractions by name, and the recordings rewritten with them."""
    import stitch_core

    result = stitch_core.compress(
        [_program(steps) for steps in recordings],
        iterations=ROUNDS,
        max_arity=ARITY,
        threads=1,
        no_curried_bodies=True,
        no_curried_metavars=True,
    )
    known = {a.name: _Abstraction(a.name, _tree(a.body)) for a in result.abstractions}
    return known, [_tree(text) for text in result.rewritten] if known else [_tree(_program(s)) for s in recordings]


def _program(steps: Sequence[Step]) -> str:
    text = "end"
    for step in reversed(steps):
        text = f"({step.op}_{step.role} {step.name.replace(' ', '_')} {text})"
    return text


def _tree(text: str) -> Tree:
    stack: list[list[Tree]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def _found(known: dict[str, _Abstraction], rewritten: Sequence[Tree]) -> Found:
    inner: dict[str, set[str]] = {name: set(_calls(a.body)) for name, a in known.items()}
    support: dict[str, set[int]] = {name: set() for name in known}
    for n, tree in enumerate(rewritten):
        waiting = list(_calls(tree))
        while waiting:
            name = waiting.pop()
            if n not in support[name]:
                support[name].add(n)
                waiting += inner[name]
    findings = [Finding(tuple(_parts(a.body, known)), len(support[name])) for name, a in known.items()]
    events = [event for a in known.values() for event in _events(a.body, known)]
    events += [event for tree in rewritten for event in _events(tree, known)]
    used = {name for name, who in support.items() if len(who) >= SUPPORT}
    covered = sum(
        len(list(_parts(known[name].body, known))) for tree in rewritten for name in _calls(tree) if name in used
    )
    return Found(tuple(findings), covered, tuple(events))


def _calls(tree: Tree) -> Iterator[str]:
    head = tree[0] if isinstance(tree, list) else tree
    if isinstance(head, str) and head.startswith("fn_"):
        yield head
    for inner in tree[1:] if isinstance(tree, list) else []:
        yield from _calls(inner)


def _class(head: str) -> tuple[str, str]:
    op, _, role = head.partition("_")
    return op, role


def _parts(tree: Tree, known: dict[str, _Abstraction]) -> Iterator[Part]:
    """The steps up to the hole for what follows, called abstractions written out."""
    if not isinstance(tree, list):
        if tree in known:
            yield from _parts(known[tree].body, known)
        return
    head, *rest = tree
    assert isinstance(head, str)
    if head in known:
        yield from _parts(_applied(known[head].body, rest), known)
        return
    op, role = _class(head)
    name = rest[0]
    assert isinstance(name, str)
    yield Open(op, role) if name.startswith("#") else Exactly(op, role, name.replace("_", " "))
    yield from _parts(rest[1], known)


def _applied(body: Tree, arguments: Sequence[Tree]) -> Tree:
    if isinstance(body, str):
        return arguments[int(body[1:])] if body.startswith("#") else body
    return [_applied(inner, arguments) for inner in body]


def expanded(tree: Tree, known: dict[str, _Abstraction]) -> list[tuple[str, str, str]]:
    """The steps of a rewritten recording: what it stood for. A test holds that rewriting loses nothing."""
    return [(p.op, p.role, p.name) for p in _parts(tree, known) if isinstance(p, Exactly)]


def _holes(name: str, known: dict[str, _Abstraction]) -> dict[int, tuple[str, str]]:
    """The holes of an abstraction that are names, with their class."""

    def walk(tree: Tree) -> Iterator[tuple[int, tuple[str, str]]]:
        if not isinstance(tree, list):
            return
        head, *rest = tree
        assert isinstance(head, str)
        inner = _holes(head, known) if head in known else {0: _class(head)}
        for n, argument in enumerate(rest):
            if n not in inner:
                yield from walk(argument)
            elif isinstance(argument, str) and argument.startswith("#"):
                yield int(argument[1:]), inner[n]

    return dict(walk(known[name].body))


def _events(tree: Tree, known: dict[str, _Abstraction]) -> Iterator[Event]:
    if not isinstance(tree, list):
        yield END if tree == "end" else (("next",), tree)
        return
    head, *rest = tree
    assert isinstance(head, str)
    if head not in known:
        yield ("next",), _class(head)
        yield ("name", *_class(head)), rest[0] if isinstance(rest[0], str) else ""
        yield from _events(rest[1], known)
        return
    yield ("next",), head
    holes = _holes(head, known)
    for n, argument in enumerate(rest):
        if n in holes and isinstance(argument, str):
            yield ("fills", head, n, *holes[n]), argument
        else:
            yield from _events(argument, known)
