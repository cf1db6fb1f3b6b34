"""The graph for networkx, finding by key or name, showing one node, the tree."""

import pytest
from support import worked_example

from graphmem import Memory, NotFound, UsageError
from graphmem.memory.showing import tree


@pytest.fixture(scope="module")
def memory():
    with Memory.open("memory:") as opened:
        worked_example.save(opened.store)
        yield opened


def labels(graph):
    return {data["label"] for _, data in graph.nodes(data=True)}


def test_the_graph_is_the_hierarchy_and_nothing_else(memory):
    graph = memory.graph()
    stats = memory.stats()
    assert labels(graph) == {"Domain", "Site", "Task", "Subtask", "Action"}
    for label, name in {"Task": "tasks", "Subtask": "subtasks", "Action": "actions", "Site": "sites"}.items():
        assert sum(data["label"] == label for _, data in graph.nodes(data=True)) == stats[name] > 0
    for kind in ("HAS_WAY", "HAS_SUBTASK", "HAS_ACTION", "NEXT", "SPECIALIZES", "IN"):
        assert sum(data["type"] == kind for *_, data in graph.edges(data=True)) == stats["relationships"][kind] > 0


def test_json_text_in_the_graph_is_read(memory):
    graph = memory.graph()
    parameters = [data["parameters"] for _, data in graph.nodes(data=True) if data["label"] == "Task"]
    assert all(isinstance(value, list) for value in parameters)
    assert any(value and set(value[0]) == {"name", "type"} for value in parameters)
    ways = [data["bindings"] for *_, data in graph.edges(data=True) if data["type"] == "HAS_WAY"]
    assert all(isinstance(value, dict) for value in ways)


def test_edge_keys_are_types_and_a_second_call_of_one_node_adds_its_index():
    import networkx as nx

    from graphmem.memory.hierarchy import _link

    graph = nx.MultiDiGraph()
    graph.add_nodes_from("ab")
    rows = [{"start_key": "a", "end_key": "b", "type": "HAS_ACTION", "properties": {"index": n}} for n in (0, 3)]
    _link(graph, rows)
    assert list(graph.edges(keys=True)) == [("a", "b", "HAS_ACTION"), ("a", "b", "HAS_ACTION:3")]
    assert [data["index"] for *_, data in graph.edges(data=True)] == [0, 3]


def test_a_part_of_the_graph_is_what_lies_under_its_root(memory):
    whole, part = memory.graph(), memory.graph(worked_example.LIBRARY)
    assert set(part) < set(whole)
    assert {data["name"] for _, data in part.nodes(data=True) if data["label"] == "Site"} == {worked_example.LIBRARY}
    assert worked_example.RESERVE.key in part
    assert "Domain" not in labels(part)
    below = memory.graph(worked_example.RESERVE.key)
    assert set(below) < set(part)
    assert labels(below) == {"Subtask", "Action"}


def test_evidence_brings_recordings_and_steps(memory):
    graph = memory.graph(evidence=True)
    stats = memory.stats()
    steps = [data for _, data in graph.nodes(data=True) if data["label"] == "Step"]
    assert len(steps) == stats["steps"]
    assert all("data" not in step for step in steps)
    assert {"Trajectory", "Judgement", "Page"} <= labels(graph)
    assert sum(data["type"] == "USES" for *_, data in graph.edges(data=True)) == stats["relationships"]["USES"]


def test_a_node_is_found_by_key_by_prefix_and_by_name(memory):
    key = worked_example.RESERVE.key
    digits = key.partition(":")[2]
    assert memory.find(key).key == memory.find(key[:18]).key == memory.find(digits[:12]).key == key
    assert memory.find(worked_example.LIBRARY.upper()).label == "Site"
    assert memory.find(" culture ").label == "Domain"


def test_several_candidates_are_listed(memory):
    shared = [w["key"] for w in memory.workflows() if w["name"] == "Pick {text} in {field}"]
    assert len(shared) == 3
    with pytest.raises(UsageError, match="Give more of the key") as caught:
        memory.find("Pick {text} in {field}")
    assert set(shared) <= set(str(caught.value).split())


def test_what_is_not_there_is_not_found(memory):
    for wanted in ("no such thing", "task:ffffffffffff", "", "  ", "'; MATCH (n) DETACH DELETE n //"):
        with pytest.raises(NotFound, match="Give a key"):
            memory.find(wanted)


def test_workflows_are_tasks_and_callable_subtasks_of_a_site(memory):
    everywhere, library = memory.workflows(), memory.workflows(worked_example.LIBRARY)
    assert {w["label"] for w in library} == {"Task", "Subtask"}
    assert {w["key"] for w in library} < {w["key"] for w in everywhere}
    assert all(w.get("kind", "sequence") == "sequence" for w in everywhere)
    assert worked_example.RESERVE.key in {w["key"] for w in library}
    assert memory.workflows("nowhere.test") == []


def test_show_says_what_a_subtask_is_made_of_and_where_it_came_from(memory):
    shown = memory.show(worked_example.pick_of(worked_example.LIBRARY).key)
    assert shown["label"] == "Subtask"
    assert [child["label"] for child in shown["made_of"]] == ["Action", "Action"]
    assert len(shown["used_by"]) >= 1
    assert shown["recordings"]
    assert all(set(recording) == {"key", "task", "judged"} for recording in shown["recordings"])


def test_show_gives_an_action_the_recordings_that_its_steps_stand_in(memory):
    (key, *_) = [child.node.key for child in worked_example.RESERVE.children if child.node.key.startswith("action:")]
    assert memory.show(key)["recordings"]


def test_show_gives_a_recording_back_whole(memory):
    shown = memory.show(worked_example.R1.key)
    assert shown["task"] == worked_example.R1.task
    assert len(shown["steps"]) == len(worked_example.R1.steps)
    assert shown["judged"] == "success"


def test_every_node_can_be_shown(memory):
    for key in memory.graph():
        assert memory.show(key)["key"] == key


def every_branch(branches):
    for branch in branches:
        yield branch
        yield from every_branch(branch["children"])


def test_the_tree_holds_every_task_and_unfolds_a_shared_subtask_once(memory):
    graph = memory.graph()
    branches = list(every_branch(tree(graph)))
    for label in ("Domain", "Site", "Task", "Subtask", "Action"):
        assert {b["key"] for b in branches if b["label"] == label} == {
            key for key, data in graph.nodes(data=True) if data["label"] == label
        }
    unfolded = [b["key"] for b in branches if b["label"] == "Subtask" and b["children"]]
    assert len(unfolded) == len(set(unfolded))
    assert any(b.get("shared") for b in branches)


def test_the_tree_stops_at_its_depth_and_says_what_is_below(memory):
    (top, *_) = tree(memory.graph(), memory.find(worked_example.LIBRARY).key, depth=1)
    assert top["children"]
    assert all(child["children"] == [] and child["more"] == 1 for child in top["children"])
