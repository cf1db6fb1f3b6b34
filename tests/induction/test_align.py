"""Controls that are told in different words, and runs of one task that did not all do the same."""

from __future__ import annotations

from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory
from graphmem_induction import align
from graphmem_induction.alike import canonical_names, head_words
from graphmem_induction.clean import Cleaned
from graphmem_induction.describe import Seen, describe
from graphmem_induction.program import Proto
from graphmem_induction.protocol import Evidence
from graphmem_induction.site import FoundTask, induce_site

A, B, C, X, Y = (Proto("click", "button", name) for name in "ABCXY")


def told(role: str, name: str) -> Seen:
    return describe(Cleaned((0,), Step("click", Target(role, name, attributes=(("description", f"{name} {role}"),)))))


def recorded(names: str, run: str) -> Evidence:
    steps = tuple(Step("click", Target("button", name)) for name in names)
    return Evidence(Trajectory("Do it", steps, site="s.test", outcome="success", run_id=run), "success")


def found(*runs: str) -> FoundTask:
    (task,) = induce_site("s.test", [recorded(names, f"r{n}") for n, names in enumerate(runs)])
    return task


def test_decoration_and_place_are_no_part_of_a_control() -> None:
    assert head_words("red Create forum at the top") == head_words("Create forum") == ("create", "forum")
    assert head_words("Approved option") != head_words("Pending option")


def test_a_name_of_nothing_but_decoration_keeps_its_words() -> None:
    assert head_words("Menu") == ("menu",)


def test_a_told_control_is_called_what_it_is_mostly_called() -> None:
    seen = [told("link", "Forums"), told("link", "Forums"), told("button", "red Forums")]
    assert set(canonical_names(seen).values()) == {("link", "Forums")}


def test_of_wordings_told_equally_often_the_plainest_stands() -> None:
    seen = [told("button", "Blue directions"), told("button", "Directions")]
    assert set(canonical_names(seen).values()) == {("button", "Directions")}


def test_exact_names_are_never_likened() -> None:
    exact = [describe(Cleaned((0,), Step("click", Target(role, "Next")))) for role in ("link", "button")]
    assert canonical_names(exact) == {}


def test_what_runs_share_is_laid_side_by_side() -> None:
    columns = align.columns([(A, B, C), (A, X, C), (A, B, Y, C)])
    assert [(c.node.name, len(c.at)) for c in columns if isinstance(c.node, Proto)] == [
        ("A", 3), ("B", 2), ("X", 1), ("Y", 1), ("C", 3),
    ]  # fmt: skip


def test_a_place_of_one_run_does_not_pay_and_one_of_most_runs_does() -> None:
    group = [(A, B, C), (A, X, C), (A, B, Y, C)]
    kept = align.kept(align.columns(group), dict.fromkeys(group, 1))
    assert [c.node for c in kept] == [A, B, C]


def test_runs_with_nothing_in_common_are_ways_of_their_own() -> None:
    assert len(align.clusters({(A, B): 1, (X, Y): 1})) == 2


def test_what_only_one_of_three_runs_did_is_its_residual() -> None:
    (way,) = found("abcd", "abxcd", "aybcd").ways
    residual = [occurrence.residual for _, trace in way.runs for occurrence in trace.occurrences[-1:]]
    assert sorted(residual) == [(), (1,), (2,)]
    assert all(len(trace.actions) == len(stretch.seen) for stretch, trace in way.runs)


def test_what_two_runs_did_differently_stays_two_ways() -> None:
    assert len(found("abcd", "abxd").ways) == 2


def test_the_order_of_runs_does_not_change_the_way() -> None:
    runs = ["abcd", "abxcd", "aybcd", "abcdz"]
    assert [w.routine for w in found(*runs).ways] == [w.routine for w in found(*runs[::-1]).ways]
