"""The first run, for who has only the package: ``graphmem demo``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from graphmem.cli.learning import code_of, summary
from graphmem.cli.looking import drawn
from graphmem.cli.shell import Shell, command
from graphmem.cli.text import short, table

if TYPE_CHECKING:
    from graphmem.memory import LearnReport
    from graphmem.model.plan import Plan
    from graphmem.store.protocol import Table

#: Nobody recorded a flight between these towns, or on this day.
TASK = "Find a flight from Trondheim to Lisbon on 2027-09-14"
SITE = "skylark-air.example"
STATEMENT = """\
MATCH (caller)-[:HAS_WAY|HAS_SUBTASK]->(s:Subtask)
WITH s, count(DISTINCT caller) AS callers
WHERE callers > 1
RETURN s.name AS subtask, s.site AS site, callers, s.key AS key
ORDER BY callers DESC, key"""
VIEW = "graphmem-demo.html"

#: Lines of the tree that are printed.
LINES = 16


def add_to(app: typer.Typer) -> None:
    command(app, "demo", example="demo\ndemo --store .graphmem")(demo)


def demo(shell: Shell) -> int:
    """The main job on recordings that are shipped.

    Learns them, plans a task that was never recorded, asks the graph, and draws it.
    Without --store nothing is kept but the drawing.
    """
    from importlib.resources import as_file, files

    from graphmem.memory.files import write_whole
    from graphmem.memory.showing import tree

    with shell.memory(otherwise="memory:") as memory:
        with as_file(files("graphmem").joinpath("demo_data")) as folder, shell.progress() as progress:
            report = memory.learn(folder, progress=progress)
        branches = tree(memory.graph(), memory.find(SITE, labels=("Site",)).key)
        plan = memory.plan(TASK)
        rows = memory.cypher(STATEMENT)
        place = write_whole(VIEW, [memory.view(title="graphmem: what the demo learnt")])
    document: dict[str, Any] = {"schema": "graphmem.demo/1", "learnt": report.to_json(), "tree": branches}
    document |= {"plan": plan.to_json(), "rows": list(rows.rows), "view": str(place)}
    shell.result(document, "\n".join(_told(report, branches, plan, rows, str(place))))
    return code_of(report)


def _told(report: LearnReport, branches: list[dict[str, Any]], plan: Plan, rows: Table, place: str) -> Iterator[str]:
    yield f"LEARN  {summary(report)}"
    yield ""
    yield f"GRAPH  what was found on {SITE}, in part:"
    lines = list(drawn(branches, "  "))
    yield from lines[:LINES]
    yield f"  ... and {len(lines) - LINES} lines more: graphmem tree" if len(lines) > LINES else ""
    yield ""
    yield f"PLAN   {TASK}"
    yield from (f"  {line}" for line in plan.text().splitlines()[1:])
    yield f"  Confidence {plan.confidence:.2f}. The last step comes by the path"
    yield f"  {' > '.join(map(short, [*plan.acts()][-1].path))}" if plan.steps else ""
    yield ""
    yield "CYPHER routines that several workflows share:"
    yield from (f"  {line}" for line in [*STATEMENT.splitlines(), "", *table(rows.columns, rows.rows).splitlines()])
    yield ""
    yield f"VIEW   {place} (open it in a browser; it needs no network)"
    yield ""
    yield 'Next: graphmem learn YOUR_RECORDINGS, then graphmem plan "YOUR TASK"'
