"""What a person decides: judge, forget."""

from __future__ import annotations

import getpass
from enum import StrEnum
from typing import Annotated

import typer

from graphmem.cli.shell import Shell, command

Key = Annotated[str, typer.Argument(metavar="KEY", help="The recording: its key, the beginning of it, or its task.")]


class Verdict(StrEnum):
    """How a recording went."""

    success = "success"
    failure = "failure"
    unknown = "unknown"


def add_to(app: typer.Typer) -> None:
    command(app, "judge", example="judge trajectory:1f0c failure")(judge)
    command(app, "forget", example="forget trajectory:1f0c")(forget)


def judge(
    shell: Shell,
    key: Key,
    verdict: Annotated[Verdict, typer.Argument(metavar="VERDICT", help="success, failure or unknown.")],
    by: Annotated[str | None, typer.Option(metavar="NAME", help="Who says so; you, unless told.")] = None,
) -> None:
    """Say how a recording went.

    Failures count, but are not learnt from.
    """
    with shell.memory() as memory:
        found = memory.find(key, labels=("Trajectory",))
        holds = memory.judge(found.key, verdict.value, by=by or _who())
    shell.result({"key": found.key, "judged": holds}, "" if shell.quiet else f"{found.name}: {holds}")


def forget(shell: Shell, key: Key) -> None:
    """Remove a recording.

    The graph is then one that never saw it.
    """
    with shell.memory() as memory:
        found = memory.forget(key)
    shell.result({"forgotten": found.key, "name": found.name}, "" if shell.quiet else f"Forgot {found.name}")


def _who() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "person"
