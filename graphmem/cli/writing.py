"""Out to files: export, view. A file is written whole or not at all."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from graphmem.cli.planning import pairs, spoken
from graphmem.cli.shell import DONE, NOTHING_FITS, Shell, command
from graphmem.errors import UsageError

FORMATS = "awm, awm-asi, awm-rule, awm-webarena, cypher, graphml, jsonl, or what a plug-in adds."


def add_to(app: typer.Typer) -> None:
    command(app, "export", example="export --format awm --site example-air.com --out memory.txt")(export)
    command(
        app, "view", example='view --out graph.html\nview --plan "Find a flight from Oslo to Rome" --out plan.html'
    )(view)


def export(
    shell: Shell,
    format: Annotated[str, typer.Option(metavar="F", help=FORMATS)],
    site: Annotated[str | None, typer.Option(metavar="S", help="Only this site.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="P", help="The file; without it, standard output.")] = None,
) -> None:
    """Write what is known in another format.

    jsonl (the recordings; learn reads it) and cypher (the whole store; load reads it) read back. graphml is for programs
    that draw graphs; awm (as AWM for Mind2Web), awm-webarena, awm-rule and awm-asi are memory text for an agent's prompt.
    """
    with shell.memory() as memory:
        if out is None and not shell.as_json:
            for part in memory.exported(format, site=site):
                sys.stdout.write(part)
            return
        written = memory.export(format, site=site, out=out)
    document = {"format": format, "file": written} if out else {"format": format, "text": written}
    shell.result(document, "" if shell.quiet else f"Wrote {written}")


def view(
    shell: Shell,
    out: Annotated[Path, typer.Option(metavar="FILE.html", help="The file.")] = Path("graphmem.html"),
    task: Annotated[str | None, typer.Option("--plan", metavar="TASK", help="Lay the plan for this over it.")] = None,
    site: Annotated[str | None, typer.Option(metavar="S", help="With --plan: the site to do it on.")] = None,
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="SLOT=VALUE", help="With --plan: a slot's value.")
    ] = None,
    title: Annotated[str, typer.Option(metavar="T", help="What stands above the page.")] = "graphmem",
) -> int:
    """Draw the hierarchy as one HTML page.

    The page needs no network.
    """
    from graphmem.memory.files import write_whole

    if task is None and (site is not None or values):
        raise UsageError("--site and --set are for a plan.", hint='Give the task too: --plan "TASK".')
    with shell.memory() as memory:
        plan = None if task is None else memory.plan(spoken(task), site=site, values=pairs(values, "--set"))
        place = write_whole(out, [memory.view(title=title, plan=plan)])
    shell.result({"file": str(place)}, "" if shell.quiet else f"Wrote {place}")
    if plan is None or plan.fits:
        return DONE
    shell.warn(f"Nothing fits the task, so the page has the graph alone. {plan.reason}".strip())
    return NOTHING_FITS
