"""Looking around: workflows, show, tree, stats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from graphmem.cli.shell import Shell, command
from graphmem.cli.text import columns, short

Key = Annotated[str, typer.Argument(metavar="KEY", help="A key, the beginning of one, or a name.")]
Site = Annotated[str | None, typer.Option(metavar="S", help="Only this site.")]

#: Properties that ``show`` prints in other words, or not at all.
_NOT_LISTED = frozenset(
    {"key", "label", "name", "text", "made_of", "used_by", "recordings", "steps", "embedding", "schema", "task"}
)


def add_to(app: typer.Typer) -> None:
    command(app, "workflows", example="workflows --site example-air.com")(workflows)
    command(app, "show", example='show "Search a flight"\nshow subtask:1f0c')(show)
    command(app, "tree", example="tree --depth 2")(tree)
    command(app, "stats", example="stats --json")(stats)


def workflows(shell: Shell, site: Site = None) -> None:
    """List the tasks, and the subtasks that they share."""
    from graphmem.memory.showing import sites_of

    with shell.memory() as memory:
        found = memory.workflows(site)
    head = ("key", "kind", "uses", "good", "bad", "status", "site", "name")
    rows = (
        [short(n["key"]), n["label"].lower(), n.get("uses"), n.get("successes"), n.get("failures"), n.get("status")]
        + [", ".join(sites_of(n)) or "any", n["name"]]
        for n in found
    )
    shell.result({"workflows": found}, columns(head, rows) if found else "")
    if not found:
        shell.note("No workflows yet. Learn some recordings: graphmem learn FILE")


def show(shell: Shell, key: Key) -> None:
    """Everything about one node.

    What it is made of, who uses it, which recordings it came from.
    """
    with shell.memory() as memory:
        node = memory.show(key)
    shell.result(node, "\n".join(_page(node)))


def tree(
    shell: Shell,
    root: Annotated[str | None, typer.Argument(metavar="KEY", help="Only what lies under this node.")] = None,
    depth: Annotated[int | None, typer.Option(metavar="N", min=0, help="How many levels down.")] = None,
) -> None:
    """The hierarchy as a tree.

    A subtask that several share is unfolded once.
    """
    from graphmem.memory.showing import tree as branches

    with shell.memory() as memory:
        graph = memory.graph()
        found = branches(graph, memory.find(root).key if root else None, depth=depth)
    shell.result({"tree": found}, "\n".join(drawn(found)))
    if not found:
        shell.note("Nothing yet. Learn some recordings: graphmem learn FILE")


def stats(shell: Shell) -> None:
    """How much of what there is."""
    with shell.memory() as memory:
        counts = memory.stats()
    numbers = {name: n for name, n in counts.items() if isinstance(n, int)} | counts["relationships"]
    width = max(map(len, numbers))
    shell.result(counts, "\n".join(f"{name:<{width}}  {n:>7}" for name, n in numbers.items()))


def drawn(branches: Sequence[Mapping[str, Any]], indent: str = "") -> Iterator[str]:
    """The lines of a tree."""
    for branch in branches:
        named = branch["label"] in ("Task", "Subtask")
        key = f"  [{short(branch['key'])}]" if named else ""
        shared = "  (shared, see above)" if branch.get("shared") else ""
        more = f"  (+ {branch['more']} below)" if branch.get("more") else ""
        label = f"{branch['label'].lower()} " if branch["label"] != "Action" else ""
        yield f"{indent}{label}{branch['text']}{key}{shared}{more}"
        yield from drawn(branch["children"], indent + "  ")


def _page(node: Mapping[str, Any]) -> Iterator[str]:
    yield f"{node['label']}  {node.get('name', '')}"
    yield node["key"]
    if node.get("text"):
        yield ""
        yield str(node["text"])
    yield ""
    for name, value in node.items():
        if name not in _NOT_LISTED and value not in ("", [], {}, None):
            yield f"{name + ':':<15} {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
    for title in ("made_of", "used_by"):
        for other in node.get(title) or ():
            yield f"{title.replace('_', ' ') + ':':<15} {other['label'].lower()} {other['name']}  [{short(other['key'])}]"
    for recording in node.get("recordings") or ():
        yield f"{'from:':<15} {recording['judged']}  {recording['task']}  [{short(recording['key'])}]"
