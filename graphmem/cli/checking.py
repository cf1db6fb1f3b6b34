"""Is all well: verify, doctor, schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import typer

from graphmem.cli.shell import DONE, FAILED, NO_STORE, Shell, command


def add_to(app: typer.Typer) -> None:
    command(app, "verify", example="verify --json")(verify)
    command(app, "doctor", example="doctor\ndoctor --store neo4j://localhost")(doctor)
    command(app, "schema", example="schema > trajectory.schema.json")(schema)


def verify(shell: Shell) -> int:
    """Check every key and every law of the graph."""
    with shell.memory() as memory:
        found = memory.verify()
    lines = [f"{fault['key']}: {fault['what']}" for fault in found["faults"]]
    verdict = "All is as it should be" if found["ok"] else f"{len(found['faults'])} faults"
    shell.result(found, "\n".join([*lines, f"{verdict}: {found['checked']} nodes and relationships checked."]))
    if found.get("stale"):
        shell.note(
            "Recordings changed since workflows were last found in them, or how they are found: run graphmem induce"
        )
    return DONE if found["ok"] else FAILED


def doctor(shell: Shell) -> int:
    """What is installed, reachable or missing.

    Each with the line that puts it right.
    """
    from graphmem.cli.diagnosis import diagnose

    checks = [check.to_json() for check in diagnose(shell.store, shell.wait)]
    shell.result({"schema": "graphmem.doctor/1", "checks": checks}, "\n".join(map(_line, checks)))
    failed = {check["what"] for check in checks if check["needed"] and not check["ok"]}
    return NO_STORE if "store" in failed else FAILED if failed else DONE


def schema(shell: Shell) -> None:
    """The JSON Schema of recordings."""
    from graphmem.importers.schema import json_schema

    document = json_schema()
    shell.result(document, json.dumps(document, indent=2))


def _line(check: Mapping[str, Any]) -> str:
    mark = "ok     " if check["ok"] else "MISSING" if check["needed"] else "absent "
    fix = f"\n{'':9}{check['fix']}" if check["fix"] else ""
    return f"{mark}  {check['what']}: {check['detail']}{fix}"
