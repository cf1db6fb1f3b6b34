"""The ingest benchmark on a small graph: both ways of writing leave the same rows."""

from pathlib import Path

import pytest

from benchmarks import engines, ingest
from benchmarks.frame import Options, Report
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory


def trajectories(count: int) -> list[Trajectory]:
    def steps(place: str) -> tuple[Step, ...]:
        return (
            Step("type", Target(role="textbox", name="Harbour"), value=place),
            Step("click", Target(role="button", name="Find boats")),
        )

    places = ["Bergen", "Oslo", "Stavanger", "Bodo"]
    return [
        Trajectory(f"Find a boat in {places[n % 4]}", steps(places[n % 4]), site=f"boats{n % 2}", run_id=str(n))
        for n in range(count)
    ]


def counts(groups):
    return {group: len(rows) for group, rows in groups.items()}


@pytest.fixture(scope="module")
def work() -> ingest.Work:
    return ingest.derive(trajectories(12))


def test_the_work_holds_recordings_and_what_was_derived_of_them(work):
    assert len(work.rows.nodes["Trajectory"]) == 12
    assert len(work.rows.nodes["Step"]) == 24
    assert work.rows.nodes["Task"]
    assert set(work.graphs) == {"boats0", "boats1", ""}


@pytest.mark.parametrize("merge", [True, False])
def test_the_raw_engine_writes_the_very_same_rows(work, merge, tmp_path):
    place = engines.Embedded(tmp_path / "store")
    with place.empty() as url:
        with ingest.closing_store(url, {}) as store:
            ingest.ready(store)
        with place.engine() as write:
            ingest.write_all(write, work.rows, merge=merge)
        with ingest.closing_store(url, {}) as store:
            left = ingest.everything(store)
    assert counts(left.nodes) == counts(work.rows.nodes)
    assert counts(left.relationships) == counts(work.rows.relationships)
    assert counts(left.relationships)["Trajectory", "HAS_STEP", "Step"] == 24


def test_the_product_is_compared_with_both_raw_writes(work, tmp_path):
    report = Report("ingest", Options(data=Path()))
    ingest.compare(engines.Embedded(tmp_path / "store"), work, Options(data=Path(), seeds=(1, 2)), report)
    rows = {(row.system, row.measure): row for row in report.rows}
    assert rows["graph", "times_raw"].n == 2
    assert rows["graph", "rows_per_s"].value > 0
    assert {system for system, _ in rows} == {"graph", "raw", "raw_create"}


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("Dear all")
    with pytest.raises(SystemExit, match="not empty"):
        engines.Embedded(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "Dear all"
