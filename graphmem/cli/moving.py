"""A whole store out and in again: dump, load. A backup, or the way from one kind of store to the other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphmem.cli.shell import DONE, FAILED, Shell, command


def add_to(app: typer.Typer) -> None:
    command(app, "dump", example="dump backup.cypher")(dump)
    command(app, "load", example="load backup.cypher --store neo4j://localhost")(load)


def dump(
    shell: Shell,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="The file; it is written whole or not at all.")],
) -> None:
    """Write the whole store to one file of Cypher.

    The same as export --format cypher --out FILE.
    """
    with shell.memory() as memory:
        written = memory.dump(out)
    shell.result({"schema": "graphmem.dump/1", "file": written}, "" if shell.quiet else f"Wrote {written}")


def load(shell: Shell, file: Annotated[Path, typer.Argument(metavar="FILE", help="What dump wrote.")]) -> int:
    """Fill an empty store from a dump, and verify it.

    Nothing in the file is run: whatever is no part of a dump is refused with its line, before anything is written.
    Interrupted, the same command goes on where it was.
    """
    with shell.memory() as memory:
        with shell.progress() as progress:
            loaded = memory.load(file, progress=progress)
        found = memory.verify()
    counts = {"nodes": loaded.nodes, "relationships": loaded.relationships}
    lines = [f"Loaded {loaded.nodes} nodes and {loaded.relationships} relationships."]
    lines += [f"{fault['key']}: {fault['what']}" for fault in found["faults"]]
    lines += ["All is as it should be." if found["ok"] else f"{len(found['faults'])} faults."]
    shell.result({"schema": "graphmem.load/1", **counts, "verify": found}, "\n".join(lines))
    return DONE if found["ok"] else FAILED
