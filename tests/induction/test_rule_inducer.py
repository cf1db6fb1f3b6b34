"""AWM's rule-based inducer: the paper's order and the code's, which differ."""

from __future__ import annotations

from graphs import texts

from graphmem.model.target import Target, pairs
from graphmem.model.trajectory import Step, Trajectory
from graphmem_induction.protocol import Evidence
from graphmem_induction.rule import Kept, RuleInducer, is_valid, select


def element(bid: str, name: str = "Go") -> Target:
    return Target("button", name, attributes=pairs({"bid": bid}))


def recording(task: str, *steps: Step, template: str = "", run: str = "") -> Evidence:
    return Evidence(Trajectory(task, steps, site="a.test", template=template, run_id=run), "success")


def kept(*evidence: Evidence) -> list[Kept]:
    return [Kept(e, tuple(enumerate(e.trajectory.steps))) for e in evidence]


def test_an_id_must_be_an_integer_where_there_is_one() -> None:
    assert is_valid(Step("click", element("12")))
    assert not is_valid(Step("click", element("a46")))
    assert not is_valid(Step("type", element("b"), value="cat"))
    assert is_valid(Step("click", Target("button", "Go")))
    assert is_valid(Step("press", element("b"), value="Enter"))


def test_the_paper_compares_types_and_the_code_elements() -> None:
    one = recording("buy a hat", Step("click", element("1", "Hat")))
    two = recording("sell a hat", Step("click", element("2", "Sell")))
    assert len(select(kept(one, two), "paper")) == 1
    assert len(select(kept(one, two), "code")) == 2


def test_the_code_filters_before_it_compares_and_the_paper_after() -> None:
    one = recording("buy a hat", Step("click", element("x")), Step("press", value="Enter"))
    two = recording("buy a cap", Step("press", value="Enter"))
    assert [len(k.steps) for k in select(kept(one, two), "code")] == [1]
    assert sorted(len(k.steps) for k in select(kept(one, two), "paper")) == [1, 1]


def test_of_one_template_one_recording_is_kept_and_it_is_the_smallest_key() -> None:
    runs = [recording(f"buy {n}", Step("click", element(str(n))), template="buy {x}", run=str(n)) for n in range(5)]
    for order in ("paper", "code"):
        (only,) = select(kept(*runs), order)
        if order == "code":
            assert only.trajectory.key == min(run.trajectory.key for run in runs)


def test_workflows_are_whole_recordings_without_variables() -> None:
    hat = recording("Buy a hat", Step("type", Target("textbox", "Query"), value="hat"), Step("click", element("3")))
    graph = RuleInducer().induce("a.test", [hat])
    assert texts(graph, "Task") == {"Buy a hat"}
    (subtask,) = texts(graph, "Subtask")
    assert 'type textbox "Query" = "hat"' in subtask
    assert "{" not in subtask
