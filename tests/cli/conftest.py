"""The command line in this process, and as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support import worked_example
from typer.testing import CliRunner

from graphmem import Memory
from graphmem.cli.app import app

#: The command as users start it.
GRAPHMEM = (sys.executable, "-m", "graphmem.cli")


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """What stdout holds: exactly one JSON document."""
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own, and nothing in the environment that names a store."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("GRAPHMEM_", "NEO4J_")) and "TEST" not in name]:
        monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def cli() -> Callable[..., Outcome]:
    """``cli("stats", "--json")`` in this process."""

    def call(*arguments: str, given: str | bytes | None = None) -> Outcome:
        done = CliRunner().invoke(app, list(map(str, arguments)), input=given)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return Outcome(done.exit_code, done.stdout, done.stderr)

    return call


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., Outcome]:
    """``process("stats", "--json")`` as a process of its own."""

    def call(*arguments: str, given: str | None = None, environ: Mapping[str, str] | None = None) -> Outcome:
        done = subprocess.run(
            [*GRAPHMEM, *map(str, arguments)],
            input=given, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **(environ or {})}, timeout=120,
        )  # fmt: skip
        return Outcome(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A store that holds the worked example. For reading only."""
    folder = str(tmp_path_factory.mktemp("example") / "store")
    with Memory.open(folder) as memory:
        worked_example.save(memory.store)
    return folder
