"""Recordings in: learn, import, induce."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.shell import DONE, FAILED, SOME_REFUSED, Shell, command
from graphmem.cli.text import counted

if TYPE_CHECKING:
    from graphmem.memory import LearnReport

Files = Annotated[list[str], typer.Argument(metavar="FILE", help="Files, folders, or - for standard input.")]
Format = Annotated[str | None, typer.Option(metavar="F", help="The format, where it cannot be told from the content.")]
Site = Annotated[str | None, typer.Option(metavar="S", help="The site of these recordings, whatever they name.")]
Inducer = Annotated[
    str | None, typer.Option(metavar="I", help="How to find workflows: graph, rule, or what a plug-in adds.")
]

Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Processes to spread the sites over; one a core where there is much to do."),
]

#: Refusals that are told one by one where nobody asked for JSON.
TOLD = 20


def add_to(app: typer.Typer) -> None:
    command(app, "learn", example="learn recordings/ --site shop.example\nlearn flight.json --json")(learn)
    command(app, "import", example="import recordings/ && graphmem induce")(import_)
    command(app, "induce", example="induce --all")(induce)


def learn(
    shell: Shell,
    files: Files,
    format: Format = None,
    site: Site = None,
    inducer: Inducer = None,
    workers: Workers = None,
) -> int:
    """Read recordings and merge the workflows in them."""
    with shell.memory() as memory, shell.progress() as progress:
        report = memory.learn(files, format=format, site=site, inducer=inducer, workers=workers, progress=progress)
    return _reported(shell, report, "learnt")


def import_(shell: Shell, files: Files, format: Format = None, site: Site = None) -> int:
    """Read and store recordings: half of learn."""
    with shell.memory() as memory, shell.progress() as progress:
        report = memory.import_(files, format=format, site=site, progress=progress)
    return _reported(shell, report, "stored")


def induce(
    shell: Shell,
    inducer: Inducer = None,
    everything: Annotated[bool, typer.Option("--all", help="Every site, not only those that changed.")] = False,
    workers: Workers = None,
) -> None:
    """Find workflows in what is stored: the other half."""
    with shell.memory() as memory, shell.progress() as progress:
        found = memory.induce(inducer=inducer, everything=everything, workers=workers, progress=progress)
    document = {"schema": "graphmem.induce/1", "sites": found.sites, "added": found.added, "merged": found.merged}
    text = f"Induced {found.sites} {'site' if found.sites == 1 else 'sites'}: added {_counts(found.added)}."
    shell.result(document, "" if shell.quiet else text)


def _reported(shell: Shell, report: LearnReport, verb: str) -> int:
    for refusal in report.refused[: None if shell.as_json else TOLD]:
        shell.warn(f"refused: {refusal}")
    if len(report.refused) > TOLD and not shell.as_json:
        shell.warn(f"refused: {len(report.refused) - TOLD} more (--json lists them all)")
    shell.result(report.to_json(), "" if shell.quiet else summary(report, verb))
    return code_of(report)


def summary(report: LearnReport, verb: str = "learnt") -> str:
    """One line about a report."""
    parts = [f"{report.learned} of {report.read} recordings {verb} in {report.seconds:.1f} s"]
    parts += [f"{report.already_known} were known already"] if report.already_known else []
    parts += [f"{len(report.refused)} refused"] if report.refused else []
    parts += [f"added {_counts(report.added)}"] if verb == "learnt" else []
    return "; ".join(parts) + "."


def code_of(report: LearnReport) -> int:
    """Whether all, some or none of the input was taken."""
    taken = report.learned + report.already_known
    if not taken:
        return FAILED
    return SOME_REFUSED if report.refused else DONE


def _counts(numbers: Mapping[str, int]) -> str:
    from graphmem.memory.learning import counts

    return counted(counts(numbers))
