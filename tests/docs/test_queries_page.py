"""docs/queries.md is what its script writes, and the library does what the page says."""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support import worked_example as example
from support.asked import fill

from graphmem import Memory, UsageError
from graphmem.model.graph import Node, Relationship
from graphmem.store import Store, rows

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_queries", DOCS / "make_queries.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory.open("memory:") as opened:
        fill(opened.store)
        yield opened


def test_the_page_that_is_kept_is_what_the_script_writes(script):
    """To keep a change on purpose: python docs/make_queries.py"""
    assert (DOCS / "queries.md").read_text(encoding="utf-8") == script.page()


def test_each_query_has_its_purpose_its_statement_and_an_example(script):
    text = (DOCS / "queries.md").read_text(encoding="utf-8")
    parts = re.split(r"^### (\w+)\n", text, flags=re.MULTILINE)[1:]
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    assert set(sections) == {script.short_name(query) for query in script.library()}
    assert len(sections) >= 50
    nothing = [name for name, body in sections.items() if "\n|---|" not in body]
    assert nothing == ["recordings_not_explained", "steps_not_explained"]
    assert all("```cypher\n" in body for body in sections.values())


def test_a_query_without_a_topic_is_named(script, monkeypatch):
    monkeypatch.setattr(script, "TOPICS", {"Pages": ("links_of_page",)})
    with pytest.raises(ValueError, match="workflows_of_site"):
        script.page()


@pytest.mark.parametrize("text", ["", "!!", "AND", 're*serve (a book \\ ~ " [x TO y]', "book -visit", "colour:[red"])
def test_any_instruction_can_be_asked_for_by_its_words(memory, text):
    found = memory.query("tasks_by_text", text=text).rows
    assert bool(found) == ("book" in text)


def test_operators_in_an_instruction_are_words(memory):
    """With a minus as Lucene reads it, the visit would be left out."""
    found = {row["task"] for row in memory.query("tasks_by_text", text="book -visit").rows}
    assert {"Book a visit with {doctor}", "Reserve the book {title}"} <= found


def test_the_nearest_vector_comes_first(memory):
    names = [row["task"] for row in memory.query("similar_tasks", vector=[1.0, 24.0], limit=4).rows]
    towards = {name: np.dot([1.0, 24.0], [1.0, len(name)]) / np.hypot(1.0, len(name)) for name in names}
    assert names == sorted(names, key=lambda name: -towards[name])
    assert memory.query("similar_to", task=names[0]).rows[0]["similar"] == names[1]


def test_a_vector_of_another_length_is_refused_with_the_length_that_is_wanted(memory):
    for vector in ([1.0], [1.0, 2.0, 3.0], "1, 2"):
        with pytest.raises(UsageError, match="2 numbers"):
            memory.query("similar_tasks", vector=vector)


def test_a_store_without_vectors_says_so_and_what_to_ask_instead():
    with Memory.open("memory:") as empty, pytest.raises(UsageError, match=r"has none.*tasks_by_text"):
        empty.query("similar_to", task="x")


def test_a_path_is_the_shortest_and_is_found_by_pattern_or_key(memory):
    found = memory.query("path_between_pages", start="library.test/", end="library.test/found").rows
    assert [row["steps"] for row in found] == [1]
    key = found[0]["key"]
    assert memory.query("path_between_pages", start="library.test/", end=key).rows == found
    assert memory.query("path_between_pages", start="library.test/found", end="clinic.test/").rows == ()


def test_a_path_goes_on_from_one_recording_to_another_without_walking_in_circles(store: Store):
    """a > b > a and a > b in one, b > c > d in another, and c > a: from a to d it is three steps."""
    hops = ["ab", "ba", "ab", "bc", "cd", "ca"]
    pages = [Node("Page", f"page:{name}", {"pattern": name}) for name in "abcd"]
    steps = [Node("Step", f"step:{i}", {"op": "click", "name": hop.upper()}) for i, hop in enumerate(hops)]
    links = [
        Relationship(("Step", type_, "Page"), step.key, f"page:{hop[end]}")
        for step, hop in zip(steps, hops, strict=True)
        for end, type_ in enumerate(("AT", "LED_TO"))
    ]
    store.write(lambda tx: (rows.put(tx, [*pages, *steps]), rows.link(tx, links)))
    (found,) = Memory(store).query("path_between_pages", start="a", end="d").rows
    assert (found["path"], found["steps"]) == ("a > click AB > b > click BC > c > click CD > d", 3)


class Letters:
    """Counts of letters as vectors: an embedder whose vectors can be kept, with no model."""

    name, dimension = "letters", 26

    def embed(self, texts):
        counts = np.array([[1.0 + text.lower().count(chr(97 + i)) for i in range(26)] for text in texts])
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def test_the_page_s_program_for_vectors_runs(monkeypatch, tmp_path):
    (program,) = re.findall(r"```python\n(.*?)```", (DOCS / "queries.md").read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    for name in ("GRAPHMEM_STORE", "NEO4J_URI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("graphmem_agents.embed.choose_embedder", lambda name: Letters())
    with Memory.open() as memory:
        example.save(memory.store)
    exec(program, {})
    with Memory.open() as memory:
        assert memory.query("similar_to", task="Reserve the book {title}").rows
