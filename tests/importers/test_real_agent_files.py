"""Agents' and people's runs as their tools wrote them: each file is read or refused with a true reason (pytest -s: a table)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphmem.importers import Refusal, read
from graphmem.model.trajectory import Trajectory

pytestmark = pytest.mark.shared

DATA = Path(os.environ.get("GRAPHMEM_DATA") or Path(__file__).parents[2].parent / "shared" / "data")

#: Every refusal that is right: the beginning of the file's name and what the reason says.
REFUSED = {
    "minorjerry__WebVoyager_data": "a list of WebVoyager's tasks, without what was done",
    "minorjerry__accessibility_tree": "the accessibility tree of one page",
    "minorjerry__agent.log": "the log of a program",
    "minorjerry__example": "conversations to train a model on",
    "minorjerry__reference_answer": "reference answers, without what was done",
    "babelcloud_gbox": "an agent's tool calls, whose targets are prose",
}


def table(name: str) -> list[tuple[str, list[Trajectory | Refusal]]]:
    folder = DATA / name
    if not folder.is_dir():
        pytest.skip(f"the measuring data is not at {folder}; set GRAPHMEM_DATA to its folder")
    rows = [(path.name, list(read([path]))) for path in sorted(folder.iterdir())]
    for file, found in rows:
        refusals = "; ".join(f"{item.place} {item.reason}".strip()[:70] for item in found if isinstance(item, Refusal))
        trajectories = [item for item in found if isinstance(item, Trajectory)]
        print(
            f"{file[:50]:50} {len(trajectories):4} read {sum(len(t.steps) for t in trajectories):5} steps  {refusals}"
        )
    return rows


@pytest.mark.parametrize(
    ("folder", "read_whole"), [("miniwob/full", 9), ("browser-use", 2), ("webvoyager", 16), ("webarena", 0)]
)
def test_every_file_is_read_or_refused_with_a_true_reason(folder: str, read_whole: int) -> None:
    rows = table(folder)
    assert all(len(found) == 1 for _, found in rows)
    whole = [name for name, (item,) in rows if isinstance(item, Trajectory)]
    assert len(whole) == read_whole
    for name, (item,) in rows:
        if isinstance(item, Refusal):
            reason = next(reason for start, reason in REFUSED.items() if name.startswith(start))
            assert reason in item.reason


def test_elements_of_real_runs_have_names_and_no_image_is_kept() -> None:
    for folder, share in (("miniwob/full", 0.95), ("browser-use", 1.0), ("webvoyager", 0.8)):
        found = [item for _, items in table(folder) for item in items if isinstance(item, Trajectory)]
        acted = [s for t in found for s in t.steps if s.page and s.op in ("click", "type", "select")]
        targets = [step.target for step in acted if step.target]
        named = sum(bool(target.called()) for target in targets)
        assert named >= share * len(targets), (folder, named, len(targets))
        assert "iVBORw0KGgo" not in repr(found)


def test_passwords_of_the_demonstrations_are_nowhere() -> None:
    found = [item for _, items in table("miniwob/full") for item in items if isinstance(item, Trajectory)]
    logins = [t for t in found if t.site.startswith("login-user")]
    assert len(logins) == 3
    for trajectory in logins:
        assert '"{password}"' in trajectory.task
        assert [s.value for s in trajectory.steps if s.secret] == ["{password}"]
        assert not any(f'"{password}"' in repr(trajectory) for password in ("yBN", "ESE", "Kh"))
