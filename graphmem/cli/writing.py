"""Out to files: export, view. A file is written whole or not at all."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from graphmem.cli.shell import Shell, command


def add_to(app: typer.Typer) -> None:
    command(app, "export", example="export --format awm --site example-air.com --out memory.txt")(export)
    command(app, "view", example="view --out graph.html")(view)


def export(
    shell: Shell,
    format: Annotated[str, typer.Option(metavar="F", help="awm, jsonl, or what a plug-in adds.")],
    site: Annotated[str | None, typer.Option(metavar="S", help="Only this site.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="P", help="The file; without it, standard output.")] = None,
) -> None:
    """Write what is known in another format.

    What it writes reads back.
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
) -> None:
    """Draw the hierarchy as one HTML page.

    The page needs no network.
    """
    from graphmem.memory.files import write_whole

    with shell.memory() as memory:
        place = write_whole(out, [memory.view(title=f"graphmem: {memory.store.url}")])
    shell.result({"file": str(place)}, "" if shell.quiet else f"Wrote {place}")
