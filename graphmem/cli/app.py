"""The application: the groups of commands in the order in which a newcomer meets them."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated

import typer

from graphmem.cli import (
    asking,
    checking,
    deciding,
    demonstrating,
    learning,
    looking,
    moving,
    planning,
    steering,
    writing,
)

app = typer.Typer(
    name="graphmem",
    help="A knowledge store of web workflows: recordings in, one graph of tasks, subtasks and actions, plans out.",
    epilog="Start with: graphmem demo",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"graphmem {version('graphmem')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None: ...


for group in (learning, planning, looking, asking, writing, moving, checking, deciding, steering, demonstrating):
    group.add_to(app)


def run() -> None:
    """The whole program. What a terminal cannot show is escaped; a reader that went away is no error of ours."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
