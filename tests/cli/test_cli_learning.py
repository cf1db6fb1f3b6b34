"""learn, import, induce, judge, forget, export, view, verify: recordings in, and what is kept of them."""

import gzip
import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from support.dump import dump

from graphmem import Memory

DEMO = Path(str(files("graphmem").joinpath("demo_data")))
GOOD = {
    "task": "Reserve Dune",
    "site": "library.test",
    "steps": [
        {"op": "navigate", "value": "https://library.test/"},
        {"op": "type", "target": {"role": "textbox", "name": "Title"}, "value": "Dune"},
        {"op": "click", "target": {"role": "button", "name": "Reserve"}},
    ],
}
BAD = {"task": "Reserve Emma", "steps": [{"op": "clikc"}]}


@pytest.fixture
def recordings(nowhere):
    """A file of three records: one good, one that is refused, one good."""
    other = {**GOOD, "task": "Reserve Emma", "steps": [*GOOD["steps"][:1], {**GOOD["steps"][1], "value": "Emma"}]}
    path = nowhere / "recordings.jsonl"
    path.write_text("\n".join(map(json.dumps, [GOOD, BAD, other])))
    return path


def test_learn_reports_what_it_promises(cli, recordings):
    said = cli("learn", recordings, "--json")
    assert said.code == 4
    report = said.document
    assert list(report) == ["schema", "read", "learned", "already_known", "refused", "added", "merged", "seconds"]
    assert report["schema"] == "graphmem.learn/1"
    assert (report["read"], report["learned"], report["already_known"]) == (3, 2, 0)
    (refused,) = report["refused"]
    assert refused["file"].endswith("recordings.jsonl")
    assert refused["place"] == "line 2, step 1"
    assert refused["reason"]
    assert set(report["added"]) == set(report["merged"]) == {"tasks", "subtasks", "actions"}
    assert report["added"]["tasks"] >= 1


def test_learning_again_adds_nothing(cli, recordings, nowhere):
    cli("learn", recordings)
    before = dump(".graphmem")
    report = cli("learn", recordings, "--json").document
    assert (report["learned"], report["already_known"]) == (0, 2)
    assert set(report["added"].values()) == {0}
    assert dump(".graphmem") == before


def test_all_refused_is_1_and_names_each_place(cli, nowhere):
    path = nowhere / "bad.jsonl"
    path.write_text("\n".join([json.dumps(BAD)] * 25))
    said = cli("learn", path)
    assert said.code == 1
    assert "bad.jsonl: line 1, step 1: " in said.err
    assert "5 more" in said.err
    assert len(cli("learn", path, "--json").document["refused"]) == 25


def test_what_is_not_there_is_refused_with_its_name(cli):
    said = cli("learn", "no-such-file.jsonl", "--json")
    assert said.code == 1
    assert said.document["refused"][0]["file"] == "no-such-file.jsonl"


def test_an_unknown_format_or_inducer_is_wrong_usage(cli, recordings):
    for wrong, known in (("--format", "mind2web"), ("--inducer", "rule")):
        said = cli("learn", recordings, wrong, "nope")
        assert said.code == 2
        assert known in said.err
    assert cli("stats", "--json").document["trajectories"] == 0


def test_standard_input_and_gzip_are_read(cli, nowhere):
    assert cli("learn", "-", "--json", given=json.dumps(GOOD)).document["learned"] == 1
    packed = nowhere / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress(json.dumps({**GOOD, "task": "Reserve it"}).encode()))
    assert cli("learn", packed, "--json").document["learned"] == 1


def test_the_site_that_is_said_takes_the_place_of_the_recorded_one(cli):
    cli("learn", "-", "--site", "other.test", given=json.dumps(GOOD))
    assert [w["site"] for w in cli("workflows", "--site", "other.test", "--json").document["workflows"]]
    assert cli("workflows", "--site", "library.test", "--json").document["workflows"] == []


def test_import_and_induce_are_the_two_halves_of_learn(cli, recordings):
    stored = cli("import", recordings, "--json", "--store", "halves")
    assert stored.code == 4
    assert stored.document["learned"] == 2
    assert set(stored.document["added"].values()) == {0}
    assert cli("stats", "--store", "halves", "--json").document["tasks"] == 0
    induced = cli("induce", "--store", "halves", "--json").document
    assert induced["sites"] == 1
    assert induced["added"]["Task"] >= 1
    cli("learn", recordings, "--store", "whole")
    assert dump("halves") == dump("whole")


def test_learning_says_on_stderr_how_far_it_is_unless_quiet(cli, recordings):
    assert "Finding workflows" in cli("learn", recordings, "--store", "a").err
    quiet = cli("learn", recordings, "--store", "b", "--quiet")
    assert quiet.out == ""
    assert quiet.err.count("\n") == 1
    assert "refused" in quiet.err


def test_an_example_store_verifies_after_learning(cli):
    cli("learn", DEMO)
    said = cli("verify", "--json")
    assert said.code == 0
    assert said.document["ok"] is True
    assert said.document["faults"] == []
    assert said.document["checked"] > 300


def test_a_fault_is_told_and_ends_in_1(cli, recordings):
    cli("learn", recordings)
    with Memory.open(".graphmem") as memory:
        memory.store.write(lambda tx: tx.run(_query("MATCH (a:Action) SET a.op = 'wait'")))
    said = cli("verify", "--json")
    assert said.code == 1
    assert said.document["ok"] is False
    assert said.document["faults"][0]["key"].startswith("action:")


def _query(text):
    from graphmem_queries import Query

    return Query("test", "", (), (("", text),))


def test_forgetting_a_recording_gives_the_graph_that_never_saw_it(cli, recordings):
    cli("learn", recordings)
    one = recordings.with_name("one.jsonl")
    one.write_text(json.dumps(GOOD))
    cli("learn", one, "--store", "never")
    said = cli("forget", "reserve emma", "--json")
    assert said.code == 0
    assert dump(".graphmem") == dump("never")
    assert cli("forget", said.document["forgotten"]).code == 2


def test_a_judgement_counts_and_is_by_who_is_named(cli, recordings):
    cli("learn", recordings)
    said = cli("judge", "reserve emma", "failure", "--by", "ada", "--json")
    assert said.document["judged"] == "failure"
    shown = cli("show", said.document["key"], "--json").document
    assert shown["judged"] == "failure"
    cypher = "MATCH (j:Judgement) WHERE j.by = 'ada' RETURN j.verdict AS verdict, j.key AS key ORDER BY key"
    assert [row["verdict"] for row in cli("cypher", cypher, "--json").document["rows"]] == ["failure"]
    assert cli("verify").code == 0
    assert cli("judge", "reserve emma", "splendid").code == 2


def test_export_reads_back_into_the_same_graph(cli, recordings):
    cli("learn", recordings)
    written = cli("export", "--format", "jsonl", "--out", "out.jsonl", "--json").document
    assert Path(written["file"]).read_text() == cli("export", "--format", "jsonl").out
    assert cli("learn", "out.jsonl", "--store", "again").code == 0
    assert dump("again") == dump(".graphmem")


def test_export_as_awm_text_names_every_workflow_of_a_site(cli, recordings):
    cli("learn", recordings)
    said = cli("export", "--format", "awm", "--site", "library.test")
    assert said.code == 0
    assert "Reserve" in said.out
    assert said.out == cli("export", "--format", "awm", "--site", "library.test", "--json").document["text"]


def test_export_in_an_unknown_format_writes_nothing(cli, recordings, nowhere):
    said = cli("export", "--format", "nope", "--out", "out.txt")
    assert said.code == 2
    assert "jsonl" in said.err
    assert not (nowhere / "out.txt").exists()


@pytest.mark.parametrize("command", [("view", "--out"), ("export", "--format", "jsonl", "--out")], ids=lambda c: c[0])
def test_a_file_is_written_whole_or_not_at_all(cli, recordings, nowhere, command, monkeypatch):
    import os

    cli("learn", recordings)
    place = nowhere / "out"
    place.write_text("as it was")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        said = cli(*command, place)
    assert said.code == 1
    assert "No space left" in said.err
    assert place.read_text() == "as it was"
    assert not list(nowhere.glob(".*.part"))
    assert cli(*command, nowhere / "no" / "folder").code == 2
    assert cli(*command, nowhere).code == 2
    assert cli(*command, place).code == 0
    assert place.stat().st_size > 100


def test_view_is_one_page_with_what_was_learnt(cli, recordings):
    cli("learn", recordings)
    page = Path(cli("view", "--json").document["file"])
    assert page.name == "graphmem.html"
    assert "library.test" in page.read_text(encoding="utf-8")


def test_view_lays_a_plan_over_the_graph(cli, recordings, nowhere):
    cli("learn", recordings)
    task = json.loads(cli("workflows", "--json").out)["workflows"][0]["name"]
    said = cli("view", "--plan", task, "--out", "plan.html")
    assert said.code == 0
    page = (nowhere / "plan.html").read_text(encoding="utf-8")
    assert "<title>graphmem</title>" in page
    assert '"plan":{"confidence":' in page
    missed = cli("view", "--plan", "knit a pullover", "--title", "Wool")
    assert missed.code == 3
    assert "Nothing fits" in missed.err
    assert "<title>Wool</title>" in (nowhere / "graphmem.html").read_text(encoding="utf-8")
    assert cli("view", "--site", "library.test").code == 2


def test_two_processes_on_one_folder_equal_one(cli, nowhere):
    parts = [DEMO / "northrail.jsonl", DEMO / "skylark-air.jsonl"]
    command = [sys.executable, "-m", "graphmem.cli", "learn", "--store", "shared", "--json"]
    running = [
        subprocess.Popen([*command, str(part)], cwd=nowhere, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for part in parts
    ]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        assert json.loads(out)["learned"] > 5
    cli("learn", *parts, "--store", "alone")
    assert dump("shared") == dump("alone")
    assert cli("verify", "--store", "shared").code == 0
