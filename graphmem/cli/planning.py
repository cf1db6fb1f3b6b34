"""Out of memory, for a task: plan, recall."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from graphmem.cli.shell import DONE, NOTHING_FITS, Shell, command
from graphmem.cli.text import columns, short
from graphmem.errors import UsageError
from graphmem.model.plan import ControlStep, Step, control_text, step_text

Task = Annotated[str, typer.Argument(metavar="TASK", help="What is to be done, in plain words.")]
Site = Annotated[str | None, typer.Option(metavar="S", help="The site to do it on.")]


class Form(StrEnum):
    """How a plan is written."""

    steps = "steps"
    text = "text"


class Recalled(StrEnum):
    """How what is recalled is written."""

    hits = "hits"
    text = "text"
    tools = "tools"


def add_to(app: typer.Typer) -> None:
    command(app, "plan", example='plan "Find a flight from Oslo to Rome" --site example-air.com --set date=2027-03-09')(
        plan
    )
    command(app, "recall", example='recall "Find a flight from Oslo to Rome" -k 3')(recall)


def plan(
    shell: Shell,
    task: Task,
    site: Site = None,
    domain: Annotated[str | None, typer.Option(metavar="D", help="The domain, where the site is not known.")] = None,
    values: Annotated[list[str] | None, typer.Option("--set", metavar="SLOT=VALUE", help="A slot's value.")] = None,
    form: Annotated[
        Form, typer.Option("--as", metavar="steps|text", help="Steps with where they come from; text for an agent.")
    ] = Form.steps,
) -> int:
    """Compose a plan for a task from what is known."""
    with shell.memory() as memory:
        found = memory.plan(spoken(task), site=site, domain=domain, values=pairs(values, "--set"))
    text = found.text() if form is Form.text else "\n".join(explained(found.steps))
    shell.result(found.to_json(), text if found.fits else "")
    if not found.fits:
        shell.warn(f"Nothing fits. {found.reason}".strip())
    return DONE if found.fits else NOTHING_FITS


def recall(
    shell: Shell,
    task: Task,
    site: Site = None,
    k: Annotated[int, typer.Option("-k", metavar="N", min=1, help="How many.")] = 5,
    form: Annotated[
        Recalled, typer.Option("--as", metavar="hits|text|tools", help="Text is for a prompt, tools for a model.")
    ] = Recalled.hits,
    budget: Annotated[int, typer.Option(metavar="TOKENS", min=1, help="Longest text, with --as text.")] = 2000,
) -> int:
    """What is known that bears on a task, with scores."""
    with shell.memory() as memory:
        match form:
            case Recalled.hits:
                return _hits(shell, [hit.to_json() for hit in memory.recall(spoken(task), site=site, k=k)])
            case Recalled.text:
                text = memory.text(spoken(task), site=site, budget=budget)
                shell.result({"text": text}, text)
                return DONE if text else NOTHING_FITS
            case Recalled.tools:
                found = memory.tools(spoken(task), site=site)
                shell.result({"tools": found}, json.dumps(found, indent=2, ensure_ascii=False))
                return DONE if found else NOTHING_FITS


def _hits(shell: Shell, hits: Sequence[Mapping[str, Any]]) -> int:
    head = ("score", "key", "kind", "site", "name", "why")
    rows = ([f"{h['score']:.2f}", short(h["key"]), h["label"], h["site"], h["name"], h["why"]] for h in hits)
    shell.result({"hits": list(hits)}, columns(head, rows) if hits else "")
    if not hits:
        shell.note("Nothing that is known bears on it.")
    return DONE if hits else NOTHING_FITS


def explained(steps: Sequence[Step], pad: str = "") -> Iterator[str]:
    """Each step, and under it the path that it comes by and why it is there."""
    for number, step in enumerate(steps, 1):
        if isinstance(step, ControlStep):
            yield f"{pad}{number}. {control_text(step)}:"
            yield from explained(step.steps, pad + "   ")
            continue
        final = "" if step.undoable else "   (cannot be undone)"
        yield f"{pad}{number}. {step_text(step)}{final}"
        yield f"{pad}     {' > '.join(map(short, step.path))}" + (f"  {step.because}" if step.because else "")


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """``name=value`` options as a mapping; the value may hold more equal signs."""
    found: dict[str, str] = {}
    for item in given or ():
        name, equals, value = item.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"{option} {item!r} is not NAME=VALUE.", hint=f"Write {option} origin=Oslo.")
        found[name.strip()] = value
    return found


def spoken(task: str) -> str:
    """The task, which must say something."""
    if not task.strip():
        raise UsageError("The task is empty.", hint="Say in plain words what is to be done.")
    return task
