"""The frame of the benchmarks: the long form, intervals that repeat, arguments that say what is wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.frame import Options, Report, interval, parse, run, seeds

FIELDS = {"system", "measure", "on", "value", "n", "low", "high"}


def measure_two_systems(options: Options, report: Report) -> None:
    report.settings["fold"] = 3
    report.add("none", "recall", "all", [0.0, 1.0])
    report.add("graph", "recall", "all", [[1.0, 1.0], [0.0]])
    report.goal("recall", "all", 0.6, "a wish")


def test_the_document_is_the_only_thing_on_stdout_and_has_one_row_a_figure(capsys):
    run("trial", measure_two_systems, about="A trial.", arguments=["--seeds", "2-4", "--limit", "7"])
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert document["schema"] == "graphmem.benchmark/1"
    assert [set(row) for row in document["rows"]] == [FIELDS, FIELDS]
    assert [(row["system"], row["value"], row["n"]) for row in document["rows"]] == [
        ("none", 0.5, 2),
        ("graph", pytest.approx(2 / 3), 3),
    ]
    assert document["goals"] == [{"measure": "recall", "on": "all", "goal": 0.6, "source": "a wish"}]
    assert document["settings"]["seeds"] == [2, 3, 4]
    assert document["settings"]["limit"] == 7
    assert document["settings"]["fold"] == 3
    assert document["settings"]["versions"]["networkx"]
    assert "graph recall on all" in printed.err


def test_out_writes_the_document_to_a_file_and_leaves_stdout_empty(tmp_path, capsys):
    run("trial", measure_two_systems, about=None, arguments=["--out", str(tmp_path / "figures.json")])
    assert capsys.readouterr().out == ""
    assert json.loads((tmp_path / "figures.json").read_text())["benchmark"] == "trial"


def test_a_password_in_the_store_url_is_not_printed(capsys):
    run("trial", measure_two_systems, about=None, arguments=["--store", "bolt://neo4j:sesame@localhost:7687"])
    printed = capsys.readouterr()
    assert "sesame" not in printed.out + printed.err
    assert json.loads(printed.out)["settings"]["store"] == "bolt://localhost:7687"


@given(st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=4), min_size=1, max_size=12))
def test_an_interval_repeats_and_lies_within_the_scores(groups):
    low, high = interval(groups, draws=200)
    assert (low, high) == interval(groups, draws=200)
    scores = [score for group in groups for score in group]
    assert min(scores) - 1e-9 <= low <= high <= max(scores) + 1e-9


def test_an_interval_narrows_with_more_groups():
    few, many = interval([[0.0], [1.0]] * 5), interval([[0.0], [1.0]] * 500)
    assert few[0] < many[0] < 0.5 < many[1] < few[1]


def test_scores_of_one_group_are_drawn_together():
    """Ten equal scores in each of two groups tell no more than one score in each."""
    assert interval([[0.0] * 10, [1.0] * 10]) == interval([[0.0], [1.0]])


def test_no_score_is_an_error():
    with pytest.raises(ValueError, match="no scores"):
        interval([[], []])


def test_seeds_are_a_number_or_a_range_with_both_ends():
    assert seeds("4") == (4,)
    assert seeds("1-3") == (1, 2, 3)


@pytest.mark.parametrize("wrong", ["3-1", "x", "1-", ""])
def test_a_wrong_range_of_seeds_is_refused_with_an_example(wrong, capsys):
    with pytest.raises(SystemExit) as stopped:
        parse(["--seeds", wrong], name="trial", about="A trial.")
    assert stopped.value.code == 2
    assert "write 4 or 1-5" in capsys.readouterr().err


def test_the_development_seeds_are_the_default():
    assert parse([], name="trial", about="A trial.", development="1-2").seeds == (1, 2)
