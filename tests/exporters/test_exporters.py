"""What the exporters write: GraphML that networkx reads back, and AWM's other dialects as its own loaders split them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from support import asked

from graphmem import Memory, Page, Step, Target, Trajectory, UsageError
from graphmem.exporters import formats, named
from graphmem.exporters.awm_webarena import HELP
from graphmem.model.graph import Node
from graphmem.model.target import Locator
from graphmem.store import rows

DEMO = Path(str(files("graphmem").joinpath("demo_data")))


@pytest.fixture(scope="module")
def demo() -> Iterator[Memory]:
    with Memory.open("memory:") as memory:
        memory.learn(DEMO)
        yield memory


@pytest.fixture(scope="module")
def example() -> Iterator[Memory]:
    with Memory.open("memory:") as memory:
        asked.fill(memory.store)
        yield memory


def test_every_format_is_found_by_its_name() -> None:
    assert formats() == ["awm", "awm-asi", "awm-rule", "awm-webarena", "cypher", "graphml", "jsonl"]
    assert [named(name).name for name in formats()] == formats()


@pytest.mark.parametrize("format", ["awm", "awm-asi", "awm-rule", "awm-webarena", "cypher", "graphml", "jsonl"])
def test_an_export_is_the_same_twice_and_of_nothing_where_nothing_is_known(demo: Memory, format: str) -> None:
    once, again = demo.export(format), demo.export(format)
    if format == "cypher":
        once, again = (re.sub(r"20\d\d-[^\"]*Z", "", text) for text in (once, again))
    assert once == again
    with Memory.open("memory:") as empty:
        assert len(empty.export(format)) < min(len(once), 2500)


# -- GraphML -----------------------------------------------------------------------------------------------------------


def read_graphml(text: str) -> nx.MultiDiGraph:
    return nx.parse_graphml(text, force_multigraph=True)


def flat(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else json.dumps(value, sort_keys=True)


def read(value: Any) -> Any:
    """JSON text in one spelling."""
    try:
        return flat(json.loads(value)) if isinstance(value, str) and value[:1] in "[{" else value
    except ValueError:
        return value


def test_graphml_reads_back_as_the_graph_that_networkx_has(demo: Memory) -> None:
    ours, again = demo.graph(), read_graphml(demo.export("graphml"))
    assert set(again.nodes) == set(ours.nodes)
    for key, data in ours.nodes(data=True):
        wanted = {name: flat(value) for name, value in data.items() if name != "key" and value is not None}
        assert {name: read(value) for name, value in again.nodes[key].items()} == wanted
    wanted_edges = sorted((a, b, sorted((k, flat(v)) for k, v in data.items())) for a, b, data in ours.edges(data=True))
    found = [
        (a, b, sorted((k, read(v)) for k, v in data.items() if k != "id")) for a, b, data in again.edges(data=True)
    ]
    assert sorted(found) == wanted_edges


def test_graphml_of_a_site_has_what_is_on_it_and_what_that_leads_to(example: Memory) -> None:
    graph = read_graphml(example.export("graphml", site="library.test"))
    labels = nx.get_node_attributes(graph, "label")
    names = nx.get_node_attributes(graph, "name")
    assert {names[key] for key, label in labels.items() if label == "Domain"} == {"culture"}
    assert {names[key] for key, label in labels.items() if label == "Site"} == {"library.test"}
    assert "Reserve a book" in names.values()
    assert "Pick {text} in {field}" in {names[k] for k in labels if graph.nodes[k].get("general")}
    assert "Book a visit" in names.values()  # the part of a task across sites that is done on the other
    assert "Book a visit with {doctor}" not in names.values()


def test_text_that_xml_cannot_write_does_not_break_the_file() -> None:
    with Memory.open("memory:") as memory:
        node = Node("Task", "task:1", {"name": "a\x00b\x0b<&>\"'\ufffe中", "text": "]]>"})
        memory.store.write(lambda tx: rows.put(tx, [node]))
        again = read_graphml(memory.export("graphml")).nodes["task:1"]
        assert (again["name"], again["text"]) == ("a\ufffdb\ufffd<&>\"'\ufffd中", "]]>")


# -- AWM's other dialects ----------------------------------------------------------------------------------------------


PAIR = re.compile(r"<think>\n(.+)\n</think>\n<action>\n(.+)\n</action>")


def called(text: str) -> tuple[str, list[Any]]:
    """A call as Python reads it: its name and its arguments, which are literals."""
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    return call.func.id, [ast.literal_eval(argument) for argument in call.args]


def test_the_webarena_dialect_has_thought_and_call_for_each_step_and_ends_in_help(example: Memory) -> None:
    text = example.export("awm-webarena")
    assert text.endswith(HELP)
    first, *others = text.removesuffix(HELP).split("\n\n\n")[:-1]
    assert len(others) == 3
    second = next(block for block in others if block.startswith("## Reserve the book {title}\n"))
    assert [(said, called(call)) for said, call in PAIR.findall(second)] == [
        ("Go to https://library.test/.", ("goto", ["https://library.test/"])),
        ('Click the button "Accept cookies".', ("click", ["accept-cookies-button-id"])),
        ('Type {title} into the textbox "Title".', ("fill", ["title-textbox-id", "{title}"])),
        ('Click the option "{title}".', ("click", ["{title}-option-id"])),
        ('Click the button "Reserve".', ("click", ["reserve-button-id"])),
    ]
    assert first.startswith("## ")


def test_the_rule_dialect_has_one_successful_recording_a_task_with_its_own_values(example: Memory) -> None:
    head, *_ = text = example.export("awm-rule").split("\n\n\n")
    assert head.startswith("## Concrete Examples\n\nQuery: ")
    queries = [re.findall(r"^Query: (.+)$", block, re.MULTILINE) for block in text]
    assert all(len(query) == 1 for query in queries)
    # Of the two that reserve one book the newer one; the failed one and the unjudged one not at all.
    assert {query for (query,) in queries} == {
        "Book a visit with Lee",
        "Reserve the book Dune, then book a visit with Lee",
        "Reserve the book Emma",
    }
    emma = next(block for block in text if "Query: Reserve the book Emma" in block)
    assert ("fill", ["title-textbox-id", "Emma"]) in [called(call) for _, call in PAIR.findall(emma)]


def test_recorded_element_ids_and_thoughts_are_kept_where_there_are_any() -> None:
    page = Page("https://shop.example/")
    steps = (
        Step(
            "click",
            Target("button", 'It\'s "here"', locators=(Locator("bid", "227"),)),
            page=page,
            reasoning="I look\nhere.",
        ),
        Step("select", Target("combobox", "Way"), value="a\nb'c", page=page),
        Step("press", value="Enter"),
        Step("scroll", value="up"),
        Step("drag", Target("img", "Card"), to=Target("img", "Pile")),
        Step("answer", value="42"),
    )
    with Memory.open("memory:") as memory:
        memory.learn(Trajectory("Do it", steps, "shop.example", outcome="success"))
        pairs = PAIR.findall(memory.export("awm-rule"))
    assert pairs[0][0] == "I look here."
    assert [called(call) for _, call in pairs] == [
        ("click", ["227"]),
        ("select_option", ["way-combobox-id", "a\nb'c"]),
        ("keyboard_press", ["Enter"]),
        ("scroll", [0, -200]),
        ("send_msg_to_user", ["42"]),
    ]


def test_the_asi_dialect_has_routines_of_two_to_five_calls_each_once(demo: Memory) -> None:
    blocks = demo.export("awm-asi").split("\n\n")[:-1]
    assert len(blocks) > 5
    bodies = set()
    for block in blocks:
        title, head, *lines = block.splitlines()
        assert title.startswith("Task: ")
        assert head == "Action Trajectory:"
        assert 2 <= len(lines) <= 5
        for line in lines:
            call, said = re.fullmatch(r"```(.+)``` # (\S.*)", line).groups()  # type: ignore[union-attr]
            called(call)
            assert said.endswith(".")
        bodies.add(tuple(lines))
    assert len(bodies) == len(blocks)


def test_a_task_that_is_too_long_for_asi_is_there_by_its_parts(demo: Memory) -> None:
    text = demo.export("awm-asi")
    whole = demo.export("awm-webarena")
    long = [b for b in whole.split("\n\n\n") if len(PAIR.findall(b)) > 5]
    assert long
    assert all(block.splitlines()[0].removeprefix("## ") not in text for block in long)
    assert any(call in text for block in long for _, call in PAIR.findall(block))


def test_only_what_is_of_the_site_is_written_for_one(example: Memory) -> None:
    for format in ("awm-webarena", "awm-asi"):
        text = example.export(format, site="clinic.test")
        assert "doctor" in text
        assert "Renew" not in text
    assert "Emma" not in example.export("awm-rule", site="clinic.test")


def test_a_dump_of_one_site_is_refused(example: Memory) -> None:
    with pytest.raises(UsageError, match="whole store"):
        example.export("cypher", site="library.test")
