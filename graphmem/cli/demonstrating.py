"""The first run, for who has only the package: ``graphmem demo``."""

from __future__ import annotations

import typer

from graphmem.cli.shell import Shell, command


def add_to(app: typer.Typer) -> None:
    command(app, "demo", example="demo\ndemo --store .graphmem")(demo)


def demo(shell: Shell) -> None:
    """The main job on recordings that are shipped.

    Learns them, plans a task that was never recorded, asks the graph, and draws it.
    """
