"""Recall, memory text and tools of the worked example, on both stores; the measured constants."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from example_graph import AIR, CANCEL_TASK, FLIGHT_TASK, RAIL, TASKS, TRAIN_TASK, write_example

from graphmem.exporters.awm import AwmExporter
from graphmem.store import Store
from graphmem_agents import known
from graphmem_agents.calibrate import measure, read_cases
from graphmem_agents.embed import TfidfEmbedder
from graphmem_agents.memory_text import memory_text, tokens_of
from graphmem_agents.recall import recall
from graphmem_agents.score import SIGNS, THRESHOLD, WEIGHTS
from graphmem_agents.tools import tools

FLIGHT = "Find a flight from Oslo to Rome on 2027-06-01"
TFIDF = {"GRAPHMEM_EMBEDDER": "tfidf"}


@pytest.fixture
def example(store: Store) -> Store:
    write_example(store)
    return store


def test_the_task_that_is_meant_comes_first_and_says_why(example: Store) -> None:
    for told, task in [
        (FLIGHT, FLIGHT_TASK),
        ("cancel booking 7", CANCEL_TASK),
        ("rail from Ghent to Bruges", TRAIN_TASK),
    ]:
        hit = recall(example, told, environ=TFIDF)[0]
        assert (hit.label, hit.key, hit.site) == ("Task", task.key, task.site)
        assert 0 < hit.score <= 1
        assert "slots bound" in hit.why
    assert set(hit.to_json()) == {"key", "label", "name", "site", "score", "why"}


def test_a_site_narrows_recall_to_it_and_what_is_general(example: Store) -> None:
    hits = recall(example, FLIGHT, site=RAIL, k=20, environ=TFIDF)
    assert hits
    assert {hit.site for hit in hits} <= {RAIL, ""}
    assert len(recall(example, FLIGHT, k=2, environ=TFIDF)) == 2


def test_the_indexes_of_a_large_memory_find_the_same_first(example: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = [recall(example, told, environ=TFIDF)[0].key for told in (FLIGHT, "cancel booking 7")]
    monkeypatch.setattr(known, "WHOLE", 0)
    assert [recall(example, told, environ=TFIDF)[0].key for told in (FLIGHT, "cancel booking 7")] == whole
    assert recall(example, 'a "quoted" AND (NOT) ~fuzzy* field:x + - && || ! ^ \\ / [ ] { }', environ=TFIDF) is not None


def test_text_is_awms_blocks_within_the_budget_and_never_cut(example: Store) -> None:
    whole = memory_text(example, FLIGHT, environ=TFIDF)
    blocks = whole.strip().split("\n\n")
    assert blocks[0].splitlines() == [
        "## find_a_flight_from_origin_to_destination_on_date",
        "Find a flight from {origin} to {destination} on {date}",
        "[button]  Accept cookies -> CLICK",
        "[textbox]  From -> TYPE: {origin}",
        "[option]  {origin} -> CLICK",
        "[textbox]  To -> TYPE: {destination}",
        "[option]  {destination} -> CLICK",
        "[textbox]  Date -> TYPE: {date}",
        "[button]  Search flights -> CLICK",
    ]
    for budget in (0, 20, 60, 100, 150, 400):
        text = memory_text(example, FLIGHT, budget=budget, environ=TFIDF)
        assert tokens_of(text) <= budget
        assert set(text.strip().split("\n\n")) - {""} <= set(blocks)
    assert all(len(block.splitlines()) >= 4 for block in blocks)
    assert len(set(blocks)) == len(blocks) > 3


def test_variables_and_names_are_as_awm_writes_them(store: Store) -> None:
    origin = replace(FLIGHT_TASK, text="Find a\nflight {from_city}")
    write_example(store, [origin])
    lines = "".join(AwmExporter().export(store)).splitlines()
    assert lines[:2] == ["## find_a_flight_from_city", "Find a flight {from-city}"]


def test_the_awm_exporter_writes_every_task_of_a_site_once(example: Store) -> None:
    everything = "".join(AwmExporter().export(example))
    heads = [line for line in everything.splitlines() if line.startswith("## ")]
    assert len(heads) == len(set(heads)) == len(TASKS)
    one = "".join(AwmExporter().export(example, site=AIR))
    assert one in everything
    assert one.count("## ") == 2


def test_tools_are_functions_with_a_schema_of_their_slots(example: Store) -> None:
    found = tools(example, FLIGHT, environ=TFIDF)
    first = found[0]["function"]
    assert found[0]["type"] == "function"
    assert first["name"] == "find_a_flight_from_origin_to_destination_on_date"
    assert FLIGHT_TASK.key in first["description"]
    assert first["parameters"]["required"] == ["origin", "destination", "date"]
    assert first["parameters"]["properties"]["date"]["type"] == "string"
    cancel = tools(example, "cancel the bookings 1, 2 and 3", environ=TFIDF)[0]["function"]
    assert cancel["parameters"]["properties"]["bookings"] == {"type": "array", "items": {"type": "string"}}
    names = [tool["function"]["name"] for tool in found]
    assert len(names) == len(set(names))


def test_weights_and_threshold_are_what_calibration_measures() -> None:
    tasks, cases = read_cases(Path(__file__).parent / "calibration.jsonl")
    found = measure(tasks, cases, TfidfEmbedder())
    assert found.weights == pytest.approx(WEIGHTS["words"], abs=0.05)
    assert len(found.weights) == len(SIGNS) + 1
    assert found.threshold == pytest.approx(THRESHOLD["words"], abs=0.015)
    assert found.right > 0.6
    assert found.refused > 0.93
