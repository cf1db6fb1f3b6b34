"""What the neutral exporter writes reads back as what was stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.exporters import named
from graphmem.importers import read
from graphmem.model.trajectory import Page, Step, Trajectory
from graphmem.store import Store, open_store
from graphmem.store.recordings import judge, save

DEMO = Path(__file__).parents[2] / "graphmem" / "demo_data"


@pytest.fixture
def memory() -> Iterator[Store]:
    store = open_store("memory:", environ={})
    yield store
    store.close()


def written(store: Store, folder: Path, site: str | None = None) -> list[Trajectory]:
    path = folder / "out.jsonl"
    path.write_text("".join(named("jsonl").export(store, site=site)), encoding="utf-8")
    found = list(read([path])) if path.stat().st_size else []
    assert all(isinstance(item, Trajectory) for item in found)
    return [item for item in found if isinstance(item, Trajectory)]


def test_recordings_of_every_format_come_back_equal_and_once_each(memory: Store, tmp_path: Path) -> None:
    across = Trajectory(
        "Do both",
        (Step("click"), Step("click", site="b.example", page=Page("https://b.example/"))),
        "a.example",
        run_id="r",
    )
    stored = [item for item in read([DEMO]) if isinstance(item, Trajectory)] + [across]
    save(memory, stored)
    again = written(memory, tmp_path)
    assert {t.key: t for t in again} == {t.key: t for t in stored}
    assert len(again) == len(stored)
    rail = written(memory, tmp_path, "northrail.example")
    assert {t.site for t in rail} == {"northrail.example"}
    assert written(memory, tmp_path, "b.example") == [across]


def test_a_later_judgement_is_written_as_the_outcome_and_the_key_stays(memory: Store, tmp_path: Path) -> None:
    (key,) = save(memory, [Trajectory("x", (Step("click"),), "a.example", run_id="r", reward=1.0)])
    judge(memory, key, "failure", by="ada", at="2126-11-30T10:00:00Z")
    (again,) = written(memory, tmp_path)
    assert (again.key, again.verdict, again.reward) == (key, "failure", None)


def test_every_line_is_one_json_object(memory: Store) -> None:
    save(memory, [Trajectory("Zürich\nnight 東京", (Step("click"),), "a.example")])
    (line,) = named("jsonl").export(memory)
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    assert json.loads(line)["task"] == "Zürich\nnight 東京"
