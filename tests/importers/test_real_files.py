"""Files as other people's tools wrote them: each is read or refused with a true reason. Printed as a table (pytest -s)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphmem.importers import Refusal, read
from graphmem.model.trajectory import Trajectory

pytestmark = pytest.mark.shared

DATA = Path(os.environ.get("GRAPHMEM_DATA") or Path(__file__).parents[2].parent / "shared" / "data")

#: Every refusal that is right: the file's name and what the reason says.
REFUSED = {
    "devexpress__invalid-test.json": "unknown step type",
    "devexpress__json-without-test.json": "not a recording",
}


def folder(name: str) -> Path:
    if not (DATA / name).is_dir():
        pytest.skip(f"the measuring data is not at {DATA / name}; set GRAPHMEM_DATA to its folder")
    return DATA / name


def table(paths: list[Path]) -> list[tuple[str, list[Trajectory | Refusal]]]:
    rows = [(path.name, list(read([path]))) for path in paths]
    for name, found in rows:
        refusals = "; ".join(f"{item.place} {item.reason}".strip() for item in found if isinstance(item, Refusal))
        trajectories = [item for item in found if isinstance(item, Trajectory)]
        print(f"{name:50} {len(trajectories):4} read {sum(len(t.steps) for t in trajectories):5} steps  {refusals}")
    return rows


def test_every_file_of_the_recorder_is_read_or_refused_with_a_true_reason() -> None:
    rows = table(sorted(folder("chrome-recorder").iterdir()))
    refused = {name: item for name, found in rows for item in found if isinstance(item, Refusal)}
    assert refused.keys() == REFUSED.keys()
    assert all(REFUSED[name] in item.reason for name, item in refused.items())
    assert all(len(found) == 1 for _, found in rows)


def test_every_native_file_of_mind2web_is_read_whole() -> None:
    rows = table(sorted(folder("mind2web").glob("native*")))
    assert sum(len(found) for _, found in rows) == 10
    for _, found in rows:
        for item in found:
            assert isinstance(item, Trajectory), item
            assert all(step.target and step.target.role for step in item.steps)


def test_passwords_in_clear_are_nowhere_in_what_was_read() -> None:
    assert "secret_sauce" not in repr(list(read([folder("chrome-recorder")])))
