"""What a person decides: judge, forget, rename, edit, quarantine."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.shell import Shell, command

if TYPE_CHECKING:
    from graphmem.memory.deciding import Decided

Key = Annotated[str, typer.Argument(metavar="KEY", help="The recording: its key, the beginning of it, or its task.")]
Node = Annotated[str, typer.Argument(metavar="KEY", help="A task, subtask or action: key, beginning of one, or name.")]
By = Annotated[str | None, typer.Option(metavar="NAME", help="Who says so; you, unless told.")]
Note = Annotated[str, typer.Option(metavar="TEXT", help="Why, for whoever reads it later.")]


EDIT = 'edit "Search flights" --step 2 --name "Depart"\nedit "Search flights" --slot text=city --type text'


class Verdict(StrEnum):
    """How a recording went."""

    success = "success"
    failure = "failure"
    unknown = "unknown"


def add_to(app: typer.Typer) -> None:
    command(app, "judge", example="judge trajectory:1f0c failure")(judge)
    command(app, "forget", example="forget trajectory:1f0c")(forget)
    command(app, "rename", example='rename subtask:1f0c "Search flights"')(rename)
    command(app, "edit", example=EDIT)(edit)
    command(app, "quarantine", example='quarantine "Search flights"\nquarantine subtask:1f0c --lift')(quarantine)


def judge(
    shell: Shell,
    key: Key,
    verdict: Annotated[Verdict, typer.Argument(metavar="VERDICT", help="success, failure or unknown.")],
    by: By = None,
) -> None:
    """Say how a recording went.

    Failures count, but are not learnt from.
    """
    with shell.memory() as memory:
        found = memory.find(key, labels=("Trajectory",))
        holds = memory.judge(found.key, verdict.value, by=by or who())
    shell.result({"key": found.key, "judged": holds}, "" if shell.quiet else f"{found.name}: {holds}")


def forget(shell: Shell, key: Key) -> None:
    """Remove a recording.

    The graph is then one that never saw it.
    """
    with shell.memory() as memory:
        found = memory.forget(key)
    shell.result({"forgotten": found.key, "name": found.name}, "" if shell.quiet else f"Forgot {found.name}")


def rename(
    shell: Shell,
    key: Node,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it.")],
    by: By = None,
    note: Note = "",
) -> None:
    """Give a task, subtask or action a name of your own.

    It keeps the name when more is learnt.
    """
    with shell.memory() as memory:
        done = memory.rename(key, name, by=by or who(), note=note)
    said(shell, done, "so it is called now")


def edit(
    shell: Shell,
    key: Node,
    step: Annotated[int | None, typer.Option(metavar="N", min=1, help="Which step of it, counted from 1.")] = None,
    op: Annotated[str | None, typer.Option(metavar="OP", help="Another operation.")] = None,
    role: Annotated[str | None, typer.Option(metavar="ROLE", help="Another role of the element.")] = None,
    name: Annotated[str | None, typer.Option(metavar="TEXT", help="Another name of the element.")] = None,
    value: Annotated[str | None, typer.Option(metavar="TEXT", help="Always this value.")] = None,
    row: Annotated[str | None, typer.Option(metavar="TEXT", help="Another row.")] = None,
    column: Annotated[str | None, typer.Option(metavar="TEXT", help="Another column.")] = None,
    slot: Annotated[str, typer.Option(metavar="OLD=NEW", help="A slot, and what to call it.")] = "",
    type: Annotated[str, typer.Option(metavar="TYPE", help="With --slot: text, number, date, time, list ...")] = "",
    by: By = None,
    note: Note = "",
) -> None:
    """Change a step, or the name or type of a slot.

    A step is changed wherever it is used; the change stays when more is learnt.
    """
    parts = {"op": op, "role": role, "name": name, "value": value, "row": row, "column": column}
    action = {part: text for part, text in parts.items() if text is not None}
    old, _, new = slot.partition("=")
    with shell.memory() as memory:
        done = memory.edit(key, step=step, action=action, slot=old, name=new, type=type, by=by or who(), note=note)
    said(shell, done, "edited")


def quarantine(
    shell: Shell,
    key: Node,
    lift: Annotated[bool, typer.Option("--lift", help="Let it back into plans.")] = False,
    by: By = None,
    note: Note = "",
) -> None:
    """Keep a task, subtask or action out of plans."""
    with shell.memory() as memory:
        done = memory.quarantine(key, lift=lift, by=by or who(), note=note)
    said(shell, done, "is back in plans" if lift else "is kept out of plans")


def said(shell: Shell, done: Decided, sentence: str) -> None:
    """What was decided, and what it overrules."""
    names = ", ".join(found.name for found in done.about) or "It"
    head = f"{names}: {sentence}{', as before' if done.already else ''}."
    shell.result(done.to_json(), "" if shell.quiet else "\n".join([head, *_overruled(done)]))


def _overruled(done: Decided) -> Iterator[str]:
    from graphmem.memory.deciding import told

    for decision in done.replaces[-1:]:
        yield f"This overrules what {decision.by} decided at {decision.at}: {told(decision)}."


def who() -> str:
    """The user, for whom the machine takes them."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "person"
