"""plan, recall, demo: what is known, for a task that was never recorded."""

from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.cli.demonstrating import TASK

DEMO = Path(str(files("graphmem").joinpath("demo_data")))
TRAIN = "Train from Ostend to Namur"


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """A store that learnt the shipped recordings. For reading only."""
    folder = str(tmp_path_factory.mktemp("learnt") / "store")
    with Memory.open(folder) as memory:
        memory.learn(DEMO)
    return folder


def test_a_plan_is_the_promised_document(cli, learnt):
    said = cli("plan", TRAIN, "--site", "northrail.example", "--store", learnt, "--json")
    assert said.code == 0
    plan = said.document
    promised = ["schema", "task", "site", "fits", "confidence", "reason", "missing", "unexplained", "steps"]
    assert list(plan) == promised
    assert plan["schema"] == "graphmem.plan/1"
    assert plan["fits"] is True
    assert {"Ostend", "Namur"} <= {step.get("value") for step in plan["steps"]}
    wanted = {"op", "target", "value", "site", "subtask", "path", "undoable", "because"}
    assert all(set(step) == wanted for step in plan["steps"] if "spec" not in step)


def test_every_step_of_a_plan_comes_by_a_path_of_the_graph(cli, learnt):
    steps = cli("plan", TRAIN, "--site", "northrail.example", "--store", learnt, "--json").document["steps"]
    with Memory.open(learnt) as memory:
        graph = memory.graph()
    for step in steps:
        path = step["path"]
        assert all(graph.has_edge(above, below) for above, below in pairwise(path))
        assert graph.nodes[path[-1]]["label"] == "Action"


def test_a_plan_as_steps_says_where_each_comes_from_and_as_text_what_to_do(cli, learnt):
    steps = cli("plan", TRAIN, "--site", "northrail.example", "--store", learnt).out
    text = cli("plan", TRAIN, "--site", "northrail.example", "--as", "text", "--store", learnt).out
    assert "task:" in steps
    assert "action:" in steps
    assert "action:" not in text
    assert text.startswith("Plan for: Train from Ostend to Namur")
    assert text.count("\n1. ") == 1


def test_a_value_that_is_set_wins(cli, learnt):
    call = ("plan", TRAIN, "--site", "northrail.example", "--store", learnt, "--json", "--set", "arrival=Bruges")
    values = {step.get("value") for step in cli(*call).document["steps"]}
    assert "Bruges" in values
    assert "Namur" not in values


def test_nothing_fits_is_3_and_says_what_came_nearest(cli, learnt):
    said = cli("plan", "Water the plants", "--store", learnt, "--json")
    assert said.code == 3
    assert said.document["fits"] is False
    assert said.document["steps"] == []
    assert said.document["reason"]
    assert cli("plan", "Water the plants", "--store", learnt).out == ""


def test_an_empty_store_fits_nothing(cli):
    assert cli("plan", TRAIN, "--json").code == 3
    assert cli("recall", TRAIN, "--json").code == 3


@pytest.mark.parametrize(
    "call", [("plan", " "), ("recall", ""), ("plan", TRAIN, "--set", "arrival"), ("plan", TRAIN, "--set", "=x")]
)
def test_a_call_that_cannot_be_is_2(cli, call):
    said = cli(*call)
    assert said.code == 2
    assert said.out == ""


def test_recall_gives_scored_hits_best_first(cli, learnt):
    hits = cli("recall", TRAIN, "-k", "3", "--store", learnt, "--json").document["hits"]
    assert len(hits) == 3
    assert [list(hit) for hit in hits] == [["key", "label", "name", "site", "score", "why"]] * 3
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    assert hits[0]["name"].startswith("Train from")
    assert "Train from" in cli("recall", TRAIN, "--store", learnt).out


def test_recall_as_text_keeps_to_its_budget(cli, learnt):
    long = cli("recall", TRAIN, "--as", "text", "--store", learnt).out
    short = cli("recall", TRAIN, "--as", "text", "--budget", "60", "--store", learnt).out
    assert "Train from" in long
    assert len(short) < len(long)


def test_recall_as_tools_gives_functions_that_a_model_can_call(cli, learnt):
    tools = cli("recall", TRAIN, "--as", "tools", "--store", learnt, "--json").document["tools"]
    assert tools
    assert all(tool["type"] == "function" and tool["function"]["parameters"]["type"] == "object" for tool in tools)


def test_the_demo_learns_plans_asks_and_draws_and_keeps_only_the_drawing(cli, nowhere):
    said = cli("demo", "--json")
    assert said.code == 0
    document = said.document
    assert document["learnt"]["refused"] == []
    assert document["learnt"]["learned"] >= 30
    assert document["plan"]["fits"] is True
    assert "Trondheim" in {step.get("value") for step in document["plan"]["steps"]}
    assert document["rows"]
    assert [path.name for path in nowhere.iterdir()] == ["graphmem-demo.html"]
    assert document["view"] == str(nowhere / "graphmem-demo.html")


def test_no_value_of_the_demo_s_task_was_ever_recorded():
    recorded = "".join(path.read_text(encoding="utf-8") for path in DEMO.rglob("*.json*"))
    for value in ("Trondheim", "Lisbon", "2027-09-14", "14.09.2027"):
        assert value not in recorded
    assert "Trondheim" in TASK


def test_the_demo_as_text_shows_each_part_and_keeps_a_store_that_is_named(cli):
    said = cli("demo", "--store", "kept")
    for part in ("LEARN", "GRAPH", "PLAN", "CYPHER", "VIEW", "graphmem-demo.html"):
        assert part in said.out
    assert cli("stats", "--store", "kept", "--json").document["trajectories"] >= 30
    again = cli("demo", "--store", "kept", "--json").document["learnt"]
    assert again["learned"] == 0
    assert again["already_known"] >= 30
