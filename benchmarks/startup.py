"""How long a person waits for the smallest commands.

    python -m benchmarks.startup [--seeds 1-9] [--store FOLDER]

Each command is run as a process of its own, once for each seed (a seed is only a repeat here): ``python -c pass`` is what
the interpreter costs by itself, then ``graphmem --version``, ``graphmem --help``, and ``graphmem stats`` on a store that has
learnt one recording.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.frame import Options, Report, run

GOAL = 1.0
RECORDING = {
    "task": "Find a boat in Bergen",
    "site": "boats.example.com",
    "outcome": "success",
    "steps": [
        {"op": "type", "target": {"role": "textbox", "name": "Harbour"}, "value": "Bergen"},
        {"op": "click", "target": {"role": "button", "name": "Find boats"}},
    ],
}


def measure(options: Options, report: Report) -> None:
    with tempfile.TemporaryDirectory(prefix="graphmem-startup-") as folder:
        store = options.store or str(Path(folder) / "store")
        graphmem = [sys.executable, "-c", "from graphmem.cli import main; main()"]
        if not options.store:
            recording = Path(folder) / "recording.jsonl"
            recording.write_text(json.dumps(RECORDING), encoding="utf-8")
            seconds([*graphmem, "learn", str(recording), "--store", store])
        commands = {
            "python": [sys.executable, "-c", "pass"],
            "version": [*graphmem, "--version"],
            "help": [*graphmem, "--help"],
            "stats": [*graphmem, "stats", "--store", store],
        }
        for name, command in commands.items():
            system = "none" if name == "python" else "graph"
            report.add(system, "seconds", name, [seconds(command) for _ in options.seeds])
    for name in ("help", "stats"):
        report.goal("seconds", name, GOAL, "a command answers within a second")


def seconds(command: Sequence[str]) -> float:
    """How long ``command`` took. RuntimeError with what it said when it failed."""
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"NO_COLOR": "1"}, check=False)
    taken = time.perf_counter() - begun
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
    return taken


if __name__ == "__main__":
    run("startup", measure, about=__doc__, development="1-9")
