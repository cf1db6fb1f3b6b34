"""Commands that look: what they print, and the documents that they promise."""

import json

import pytest
from support import worked_example

LOOKING = [
    ("stats",), ("workflows",), ("tree",), ("query",), ("show", "culture"), ("query", "never_used"),
    ("cypher", "MATCH (t:Task) RETURN t.name AS name ORDER BY name"), ("schema",), ("doctor",),
]  # fmt: skip


@pytest.mark.parametrize("command", LOOKING, ids=" ".join)
def test_json_is_one_document_and_the_rest_is_silent(cli, example, command):
    said = cli(*command, "--store", example, "--json")
    assert said.code == 0, said.err
    assert said.document
    assert said.err == ""
    assert command == ("schema",) or cli(*command, "--store", example).out != said.out


def test_stats_has_the_promised_numbers(cli, example):
    document = cli("stats", "--store", example, "--json").document
    promised = {"schema", "domains", "sites", "tasks", "subtasks", "actions", "pages", "trajectories", "steps"}
    assert promised | {"experiences", "relationships"} <= set(document)
    assert document["schema"] == "graphmem.stats/1"
    assert document["trajectories"] == len(worked_example.ALL)
    assert document["relationships"]["HAS_WAY"] > 0


def test_stats_as_text_names_each_number(cli, example):
    lines = dict(line.split() for line in cli("stats", "--store", example).out.splitlines())
    assert lines["trajectories"] == str(len(worked_example.ALL))


def test_looking_at_a_store_that_is_not_there_makes_none(cli, nowhere):
    assert cli("stats", "--json").document["sites"] == 0
    assert list(nowhere.iterdir()) == []


def test_workflows_lists_tasks_and_shared_subtasks(cli, example):
    said = cli("workflows", "--site", worked_example.CLINIC, "--store", example)
    assert "Book a visit with {doctor}" in said.out
    assert "Reserve a book" not in said.out.replace("Reserve a book, then", "").replace("Reserve the book", "")
    found = cli("workflows", "--store", example, "--json").document["workflows"]
    assert {"key", "label", "name", "uses", "successes", "failures", "status"} <= set(found[0])


def test_show_takes_the_beginning_of_a_key_or_a_name(cli, example):
    key = worked_example.RESERVE.key
    for wanted in (key, key[:16], "reserve a book"):
        assert cli("show", wanted, "--store", example, "--json").document["key"] == key
    assert "Reserve a book" in cli("show", key, "--store", example).out


def test_show_of_an_ambiguous_name_lists_the_candidates(cli, example):
    said = cli("show", "Pick {text} in {field}", "--store", example)
    assert said.code == 2
    assert said.out == ""
    for site in (worked_example.LIBRARY, worked_example.CLINIC):
        assert worked_example.pick_of(site).key in said.err


def test_show_of_what_is_not_there_is_wrong_usage(cli, example):
    said = cli("show", "no such thing", "--store", example, "--json")
    assert said.code == 2
    assert said.document["schema"] == "graphmem.error/1"
    assert "no such thing" in said.err


def test_tree_draws_the_hierarchy_indented(cli, example):
    lines = cli("tree", "--store", example).out.splitlines()
    assert "domain culture" in lines
    assert any(line.startswith("  site library.test") for line in lines)
    assert any(line.startswith("    task Reserve the book {title}") for line in lines)
    assert any("(shared, see above)" in line for line in lines)
    assert len(cli("tree", "--depth", "0", "--store", example).out.splitlines()) < len(lines)


def test_tree_under_one_node(cli, example):
    (branch,) = cli("tree", worked_example.RESERVE.key, "--store", example, "--json").document["tree"]
    assert branch["label"] == "Subtask"
    assert len(branch["children"]) == len(worked_example.RESERVE.children)


def test_query_without_a_name_lists_the_library(cli, example):
    listed = cli("query", "--json").document["queries"]
    assert len(listed) >= 10
    assert not [q for q in listed if q["purpose"].startswith("Internal")]
    assert any(p["name"] == "site" for q in listed for p in q["parameters"])
    assert cli("query").out.count("\n") == len(listed)


def test_query_runs_one_with_its_parameters(cli, example):
    said = cli("query", "workflows_of_site", "--param", f"site={worked_example.LIBRARY}", "--store", example, "--json")
    assert set(said.document) == {"columns", "rows", "truncated"}
    assert said.document["rows"]
    assert set(said.document["rows"][0]) == set(said.document["columns"])


def test_query_without_rows_still_names_its_columns(cli, example):
    full = cli("query", "workflows_of_site", "--param", f"site={worked_example.LIBRARY}", "--store", example, "--json")
    none = cli("query", "workflows_of_site", "--param", "site=nowhere.test", "--store", example, "--json")
    assert none.document["rows"] == []
    assert none.document["columns"] == full.document["columns"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("workflows_of_sit",), "workflows_of_site"),
        (("workflows_of_site",), "site"),
        (("workflows_of_site", "--param", "site=x", "--param", "sight=y"), "sight"),
        (("workflows_of_site", "--param", "site"), "NAME=VALUE"),
        (("count_nodes",), "count_nodes"),
    ],
)
def test_query_says_what_is_wrong_with_the_call(cli, example, arguments, told):
    said = cli("query", *arguments, "--store", example)
    assert said.code == 2
    assert told in said.err


def test_cypher_takes_parameters_of_every_kind(cli, example):
    typed = ["n=3", "f=1.5", "t=Oslo", 'q="3"', "l=[1,2]", "b=true", "e=a=b", "x=NaN"]
    options = [part for item in typed for part in ("--param", item)]
    statement = "RETURN $n AS n, $f AS f, $t AS t, $q AS q, $l AS l, $b AS b, $e AS e, $x AS x"
    document = cli("cypher", statement, *options, "--store", example, "--json").document
    expected = {"n": 3, "f": 1.5, "t": "Oslo", "q": "3", "l": [1, 2], "b": True, "e": "a=b", "x": "NaN"}
    assert document == {"columns": list(expected), "rows": [expected], "truncated": False}


def test_cypher_stops_at_its_limit_and_says_so(cli, example):
    said = cli("cypher", "MATCH (s:Step) RETURN s.key AS key ORDER BY key", "--limit", "2", "--store", example)
    assert "--limit 0" in said.err
    document = cli(
        "cypher", "MATCH (s:Step) RETURN s.key AS key", "--limit", "0", "--store", example, "--json"
    ).document
    assert document["truncated"] is False
    assert len(document["rows"]) == cli("stats", "--store", example, "--json").document["steps"]


@pytest.mark.parametrize(
    "statement", ["CREATE (n:Task {key: 'x'})", "LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l", "MATCH ("]
)
def test_cypher_that_writes_reads_files_or_is_none_fails_in_one_line(cli, example, statement):
    said = cli("cypher", statement, "--store", example, "--json")
    assert said.code == (2 if statement == "MATCH (" else 1)
    assert "Traceback" not in said.err
    assert "this is a bug" not in said.err
    assert set(said.document) == {"schema", "error", "hint", "exit_code"}


def test_what_a_terminal_would_obey_is_not_printed(cli, example):
    said = cli("cypher", "RETURN $t AS t", "--param", "t=\x1b[31mred\u202e", "--store", example)
    assert "\x1b" not in said.out
    assert "red" in said.out


def test_schema_is_the_published_one(cli):
    from graphmem.importers.schema import json_schema

    assert json.loads(cli("schema").out) == cli("schema", "--json").document == json_schema()


def test_doctor_says_what_is_there_and_never_a_key(cli, example, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hunter2")
    said = cli("doctor", "--store", example)
    assert said.code == 0
    assert "OPENAI_API_KEY: is set." in said.out
    assert "hunter2" not in said.out
    checks = {c["what"]: c for c in cli("doctor", "--store", example, "--json").document["checks"]}
    assert checks["store"]["ok"]
    assert example in checks["store"]["detail"]
    assert all(c["fix"] for c in checks.values() if not c["ok"])


def test_doctor_ends_in_5_when_the_store_cannot_be_reached(cli):
    said = cli("doctor", "--store", "bolt://127.0.0.1:9", "--wait", "1", "--json")
    assert said.code == 5
    checks = {c["what"]: c for c in said.document["checks"]}
    assert not checks["store"]["ok"]
    assert checks["store"]["fix"]
