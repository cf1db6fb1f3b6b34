"""Cypher: the library of named queries, and the read-only console."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.cli.planning import pairs
from graphmem.cli.shell import Shell, command
from graphmem.cli.text import table

if TYPE_CHECKING:
    from graphmem.store.protocol import Table

Parameters = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="K=V", help="A parameter: a number, JSON, or text as it stands. May be repeated."),
]


def add_to(app: typer.Typer) -> None:
    command(app, "query", example="query\nquery workflows_of_site --param site=example-air.com")(query)
    command(app, "cypher", example='cypher "MATCH (t:Task) RETURN t.name AS name ORDER BY name" --limit 10')(cypher)


def query(
    shell: Shell,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Without it: the list of queries.")] = None,
    parameters: Parameters = None,
) -> None:
    """Run a named Cypher query, or list them all."""
    if name is None:
        _list(shell)
        return
    with shell.memory() as memory:
        _rows(shell, memory.query(name, **values(parameters)))


def cypher(
    shell: Shell,
    statement: Annotated[str, typer.Argument(metavar="STATEMENT", help="A Cypher statement that reads.")],
    parameters: Parameters = None,
    limit: Annotated[int, typer.Option(metavar="N", min=0, help="Most rows; 0 is all.")] = 1000,
    seconds: Annotated[float, typer.Option(metavar="S", min=0.1, help="Longest time it may take.")] = 30.0,
) -> None:
    """Ask the graph in Cypher, read-only."""
    with shell.memory() as memory:
        _rows(shell, memory.cypher(statement, values(parameters), limit=limit, seconds=seconds))


def values(given: Sequence[str] | None) -> dict[str, Any]:
    """Parameters as typed: what is JSON (a number, true, null, a list, quoted text) is read as such, the rest is text."""
    return {name: _value(text) for name, text in pairs(given, "--param").items()}


def _value(text: str) -> Any:
    def refuse(constant: str) -> Any:
        raise ValueError(constant)  # NaN and the infinities are words, not JSON

    try:
        return json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return text


def _list(shell: Shell) -> None:
    from graphmem.memory.asking import library, short_name

    listed: list[dict[str, Any]] = [
        {"name": short_name(q), "purpose": q.purpose, "parameters": [_parameter(*p) for p in q.parameters]}
        for q in library()
    ]
    width = max((len(str(entry["name"])) for entry in listed), default=0)
    lines = []
    for entry in listed:
        takes = ", ".join(p["name"] + (f"={p['default']}" if "default" in p else "") for p in entry["parameters"])
        lines.append(f"{entry['name']:<{width}}  {entry['purpose']}" + (f"  [{takes}]" if takes else ""))
    shell.result({"queries": listed}, "\n".join(lines))


def _parameter(name: str, default: str | None) -> dict[str, Any]:
    return {"name": name} if default is None else {"name": name, "default": _value(default)}


def _rows(shell: Shell, found: Table) -> None:
    document = {"columns": list(found.columns), "rows": list(found.rows), "truncated": found.truncated}
    shell.result(document, table(found.columns, found.rows))
    if found.truncated:
        shell.note(f"Only the first {len(found.rows)} rows; --limit 0 gives all.")
