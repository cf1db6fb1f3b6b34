"""Steering what was learnt: merge, undo, versions, diff, rollback."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from graphmem.cli.deciding import By, Node, Note, said, who
from graphmem.cli.shell import DONE, FAILED, Shell, command
from graphmem.cli.text import columns, short
from graphmem.errors import UsageError

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.memory.merging import Suggestion

#: What is listed: of which site, across sites, how many.
Asked: TypeAlias = tuple[str | None, bool, int]
#: Nodes that a preview names one by one.
SHOWN = 8


def add_to(app: typer.Typer) -> None:
    example = "merge --site example-air.com\nmerge 1 --apply\nmerge action:1f0c action:77ab --refuse"
    command(app, "merge", example=example)(merge)
    command(app, "undo", example="undo\nundo --yes")(undo)
    command(app, "versions", example='versions "Search flights"')(versions)
    command(app, "diff", example='diff subtask:1f0c subtask:77ab\ndiff "Search flights" "Search flights@3"')(diff)
    command(app, "rollback", example='rollback "Search flights"\nrollback subtask:1f0c --to 3')(rollback)


def merge(
    shell: Shell,
    nodes: Annotated[
        list[str] | None, typer.Argument(metavar="NUMBER|KEY KEY", help="A pair: its number in the list, or two keys.")
    ] = None,
    apply: Annotated[bool, typer.Option("--apply", help="Make them one.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="They are not the same: never ask again.")] = False,
    site: Annotated[str | None, typer.Option(metavar="S", help="Only this site.")] = None,
    across: Annotated[bool, typer.Option("--across", help="What different sites may have in common.")] = False,
    k: Annotated[int, typer.Option("-k", metavar="N", min=1, help="How many pairs.")] = 10,
    by: By = None,
    note: Note = "",
) -> None:
    """Show what may be the same, and what merging it would change.

    Nothing is written without --apply or --refuse.
    """
    if (apply and refuse) or ((apply or refuse) and not nodes):
        raise UsageError("Say which pair is meant, and whether it is the same.", hint="graphmem merge 1 --apply")
    asked = (site, across, k)
    with shell.memory() as memory:
        if not apply and not refuse:
            found = [_pair(memory, nodes, asked)] if nodes else memory.merges(site, across=across, k=k)
            numbered = [{"number": n, **s.to_json()} for n, s in enumerate(found, 1)]
            shell.result({"schema": "graphmem.merge/1", "proposals": numbered}, "\n".join(_listed(found)))
            if not found:
                shell.note("Nothing that may be the same.")
            return
        one, other = _keys(memory, nodes or [], asked)
        decide = memory.merge if apply else memory.not_a_duplicate
        done = decide(one, other, by=by or who(), note=note)
    said(shell, done, "made one" if apply else "kept apart")


def _pair(memory: Memory, nodes: Sequence[str], asked: Asked) -> Suggestion:
    if len(nodes) == 1 and nodes[0].isdigit():
        return _numbered(memory, int(nodes[0]), asked)
    return memory.merge_preview(*_keys(memory, nodes, asked))


def _keys(memory: Memory, nodes: Sequence[str], asked: Asked) -> tuple[str, str]:
    if len(nodes) == 1 and nodes[0].isdigit():
        one, other = _numbered(memory, int(nodes[0]), asked).nodes
        return one.key, other.key
    if len(nodes) != 2:
        raise UsageError(
            "A pair is a number of the list, or two keys or names.", hint="graphmem merge lists the pairs."
        )
    return nodes[0], nodes[1]


def _numbered(memory: Memory, number: int, asked: Asked) -> Suggestion:
    site, across, k = asked
    found = memory.merges(site, across=across, k=max(k, number))
    if not 1 <= number <= len(found):
        raise UsageError(f"There is no pair {number}: {len(found)} are listed.", hint="graphmem merge lists the pairs.")
    return found[number - 1]


def _listed(found: Sequence[Suggestion]) -> Iterator[str]:
    for number, suggestion in enumerate(found, 1):
        one = suggestion.nodes[0]
        place = f"on {suggestion.site}" if suggestion.site else "across sites"
        yield f"{number}. {one.label.lower()}s {place} ({suggestion.score:.2f}): {suggestion.why}"
        for node in suggestion.nodes:
            yield f"     {short(node.key)}  {node.name}" + ("" if suggestion.site else f"  on {node.site}")
        yield from (f"   {line}" for line in _change(suggestion))


def _change(suggestion: Suggestion) -> Iterator[str]:
    change = suggestion.change
    if not change.merged:
        yield "They cannot be made one."
        return
    if change.becomes:
        yield f"would be one: {change.becomes.name}  [{short(change.becomes.key)}]"
    gone, came = len(change.gone), len(change.came)
    yield f"{gone} {'node goes' if gone == 1 else 'nodes go'}, {came} {'comes' if came == 1 else 'come'} instead"
    for sign, nodes in (("-", change.gone), ("+", change.came)):
        for node in nodes[:SHOWN]:
            yield f"  {sign} {node.label.lower()} {node.name}"
        if len(nodes) > SHOWN:
            yield f"  {sign} and {len(nodes) - SHOWN} more"


def undo(
    shell: Shell,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
) -> int:
    """Take back the last learn, merge, judgement or decision.

    The graph is then the one from before.
    """
    with shell.memory() as memory:
        act = memory.last_act()
        if not yes and not _agreed(f"Take back {act.text} ({act.at})?"):
            shell.note("Nothing was taken back.")
            return FAILED
        act = memory.undo()
    shell.result(act.to_json(), "" if shell.quiet else f"Took back {act.text}.")
    return DONE


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageError(question, hint="Say --yes to do it.")
    return typer.confirm(question, err=True)


def versions(shell: Shell, key: Node) -> None:
    """What a node was before, and what each change came from."""
    with shell.memory() as memory:
        found = memory.versions(key)
    head = ("version", "at", "key", "name", "came from")
    rows = ([f"{v.number}{' (now)' if v.now else ''}", v.at, short(v.key), v.name, v.cause] for v in found)
    document = {"schema": "graphmem.versions/1", "versions": [v.to_json() for v in found]}
    shell.result(document, columns(head, rows))


def diff(
    shell: Shell,
    a: Annotated[str, typer.Argument(metavar="A", help="A key, a name, or KEY@VERSION.")],
    b: Annotated[str, typer.Argument(metavar="B", help="What to compare it with.")],
) -> None:
    """How two nodes, or two versions of one, differ in steps and slots."""
    with shell.memory() as memory:
        found = memory.diff(a, b)
    shell.result(found.to_json(), found.text())


def rollback(
    shell: Shell,
    key: Node,
    to: Annotated[
        str | None, typer.Option(metavar="VERSION", help="Its number or key; the one before, unless told.")
    ] = None,
    by: By = None,
    note: Note = "",
) -> None:
    """Let an earlier version of a subtask or action stand again.

    It stands until something new is learnt of it.
    """
    with shell.memory() as memory:
        done = memory.rollback(key, to=to, by=by or who(), note=note)
    said(shell, done, f"stands as in version {done.decision.says['version']}")
