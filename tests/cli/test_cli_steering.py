"""What a person decides, from the command line: what is printed, the documents, the exit codes."""

import json

import pytest

STEPS = (
    {"op": "navigate", "value": "https://shop.example/"},
    {"op": "type", "target": {"role": "textbox", "name": "Search"}},
)


def recording(item, button, run):
    steps = [STEPS[0], {**STEPS[1], "value": item}, {"op": "click", "target": {"role": "button", "name": button}}]
    return {"task": f"Find {item}", "site": "shop.example", "outcome": "success", "run_id": run, "steps": steps}


@pytest.fixture
def shop(cli, nowhere):
    """A store in which one button has two names."""
    told = [recording("hats", "Go", "1"), recording("gloves", "Go", "2"), recording("socks", "Go now", "3")]
    (nowhere / "shop.jsonl").write_text("\n".join(map(json.dumps, told)))
    assert cli("learn", "shop.jsonl").code == 0
    return cli


GO, NOW = 'click button "Go"', 'click button "Go now"'


def actions(cli):
    rows = cli("cypher", "MATCH (a:Action) RETURN a.name AS name ORDER BY name", "--json").document["rows"]
    return [row["name"] for row in rows]


def pair(cli):
    """The proposal about the button."""
    found = cli("merge", "--json").document["proposals"]
    return next(p for p in found if {node["name"] for node in p["nodes"]} == {GO, NOW})


def test_merge_shows_pairs_and_writes_nothing(shop):
    said = shop("merge")
    assert said.code == 0
    assert ". actions on shop.example" in said.out
    assert 'would be one: click button "Go"' in said.out
    document = shop("merge", "--json").document
    assert document["schema"] == "graphmem.merge/1"
    first = pair(shop)
    assert {"number", "site", "label", "nodes", "score", "why", "change"} == set(first)
    assert first["change"]["merged"]
    assert {GO, NOW} <= set(actions(shop))


def test_merge_applies_by_number_and_by_names_and_refuses(shop):
    said = shop("merge", pair(shop)["number"], "--apply", "--json")
    assert said.code == 0
    assert said.document["kind"] == "keep_together"
    assert NOW not in actions(shop)
    assert shop("undo", "--yes").out == "Took back the decision that 2 actions are one.\n"
    assert shop("merge", GO, NOW, "--refuse", "--by", "ada").code == 0
    assert not [p for p in shop("merge", "--json").document["proposals"] if p["label"] == "Action"]
    said = shop("merge", GO, NOW, "--apply")
    assert "overrules what ada decided" in said.out
    assert NOW not in actions(shop)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--apply",), 2), (("1", "--apply", "--refuse"), 2), (("99",), 2), (("a", "b", "c"), 2), (("nowhere", GO), 2),
        ((GO, GO), 2), ((GO, 'type textbox "Search" = {value}', "--apply"), 1),
    ],
)  # fmt: skip
def test_a_merge_that_cannot_be_is_refused(shop, arguments, code):
    before = actions(shop)
    said = shop("merge", *arguments)
    assert said.code == code
    assert said.err.startswith("Error: ") or "Traceback" not in said.err
    assert actions(shop) == before


def test_rename_edit_and_quarantine_say_what_they_did(shop):
    assert shop("rename", GO, "Press Go").out == "Press Go: so it is called now.\n"
    document = shop("edit", "Press Go", "--name", "Search now", "--role", "link", "--json").document
    assert document["schema"] == "graphmem.decision/1"
    assert document["what"] == {"action": {"name": "Search now", "role": "link"}}
    task = next(row for row in shop("workflows", "--json").document["workflows"] if row["label"] == "Task")
    slot = task["parameters"][0]["name"]
    assert shop("edit", task["key"], "--slot", f"{slot}=thing").code == 0
    assert shop("show", "Find {thing}").code == 0
    assert shop("quarantine", "Press Go", "--note", "it is gone").code == 0
    assert shop("plan", "Find scarves").code in (0, 3)
    assert shop("quarantine", "Press Go", "--lift").code == 0
    assert shop("edit", "Press Go", "--op", "shout").code == 2
    assert shop("edit", "Press Go").code == 2
    assert shop("rename", "nowhere", "x").code == 2
    assert shop("verify").code == 0
    rows = shop("query", "decisions", "--json").document["rows"]
    assert [row["kind"] for row in rows] == ["quarantine", "quarantine", "edit", "edit", "rename"]


def test_undo_asks_unless_it_is_told_not_to(shop):
    said = shop("undo")
    assert said.code == 2
    assert "the learning of 3 recordings" in said.err
    document = shop("undo", "--yes", "--json").document
    assert (document["schema"], document["kind"], len(document["recordings"])) == ("graphmem.undo/1", "learn", 3)
    assert shop("stats", "--json").document["trajectories"] == 0
    assert shop("undo", "--yes").code == 2


def test_versions_diff_and_rollback_go_back_and_forth(shop, nowhere):
    (nowhere / "more.jsonl").write_text(json.dumps(recording("caps", "Go", "4")))
    rows = shop("workflows", "--json").document["workflows"]
    flow = next(row for row in rows if row["label"] == "Subtask")
    assert shop("rename", flow["key"], "Search").code == 0
    listed = shop("versions", "Search", "--json").document["versions"]
    assert [v["now"] for v in listed] == [True] + [False] * (len(listed) - 1)
    assert "recordings more" in listed[-1]["cause"]
    assert "is called 'Search'" in shop("versions", "Search").out
    assert shop("edit", "Search", "--step", "1", "--value", "https://shop.example/new").code == 0
    listed = shop("versions", "Search", "--json").document["versions"]
    old = next(v["key"] for v in listed if v["key"] != listed[0]["key"])
    found = shop("diff", old, "Search", "--json").document
    assert found["schema"] == "graphmem.diff/1"
    assert found["steps"]["changed"] == [['navigate "https://shop.example/"', 'navigate "https://shop.example/new"']]
    assert '+ navigate "https://shop.example/new"' in shop("diff", old, "Search").out
    assert shop("rollback", "Search", "--json").document["kind"] == "rollback"
    assert shop("show", "Search", "--json").document["key"] == old
    assert shop("verify").code == 0
    assert shop("rollback", "Search", "--to", "99").code == 2
    assert shop("undo", "--yes").code == 0
    assert shop("show", "Search", "--json").document["key"] == listed[0]["key"]
    assert shop("versions", "nowhere").code == 2
