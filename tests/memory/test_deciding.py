"""What a person decides holds whatever is learnt later, and can be taken back as if it had never been."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "induction"))

from graphs import comparable
from worked_example import R1, R2, R3, R4, R5, click, fill, go

from graphmem import Memory
from graphmem.errors import GraphmemError, NotFound, UsageError
from graphmem.model.trajectory import Trajectory
from graphmem.store import Store, decisions, derived, recordings

AIR = "air.test"
SHOP = "shop.test"


@pytest.fixture
def memory(store: Store) -> Memory:
    return Memory(store)


def whole(memory: Memory) -> Any:
    """Everything derived, so that two equal graphs are equal."""
    sites = {site: derived.read_site(memory.store, site) for site in recordings.sites(memory.store)}
    return {site: comparable(g) for site, g in sites.items()}, comparable(derived.read_general(memory.store))


def nodes(memory: Memory, label: str, site: str = AIR) -> dict[str, Any]:
    """Name -> properties with key."""
    found = derived.read_site(memory.store, site).nodes
    return {n.properties["name"]: {**n.properties, "key": n.key} for n in found if n.label == label}


def key(memory: Memory, start: str, label: str = "Subtask", site: str = AIR) -> str:
    (found,) = [n["key"] for name, n in nodes(memory, label, site).items() if name.startswith(start)]
    return str(found)


def search(item: str, button: str, run: str) -> Trajectory:
    steps = (go("https://shop.test/"), fill("Search", item), click("button", button))
    return Trajectory(f"Find {item}", steps, site=SHOP, outcome="success", run_id=run)


# -- names -------------------------------------------------------------------------------------------------------------


def test_a_name_is_kept_when_more_is_learnt_and_when_all_is_derived_anew(memory: Memory) -> None:
    memory.learn([R1])
    done = memory.rename(key(memory, "Search flights"), "Look for a flight", by="ada", note="as the site says")
    assert done.about[0].name == "Look for a flight"
    memory.learn([R2, R3])
    memory.induce(everything=True)
    assert "Look for a flight" in nodes(memory, "Subtask")
    assert memory.find("Look for a flight").label == "Subtask"
    assert memory.verify()["ok"]


def test_tasks_actions_and_what_sites_have_in_common_can_be_named(memory: Memory) -> None:
    memory.learn([R1, R2, R3, R4, R5])
    memory.rename("Find a flight from {from} to {to} on {date}", "Flights")
    memory.rename(key(memory, 'type textbox "Date"', "Action"), "The day")
    general = [n for n in derived.read_general(memory.store).nodes if n.label == "Subtask"]
    memory.rename(general[0].key, "Choose a place")
    assert "Flights" in nodes(memory, "Task")
    assert "The day" in nodes(memory, "Action")
    assert [n.properties["name"] for n in derived.read_general(memory.store).nodes if n.label == "Subtask"] == [
        "Choose a place"
    ]
    assert memory.verify()["ok"]


def test_the_later_of_two_names_holds_and_says_what_it_overrules(memory: Memory) -> None:
    memory.learn([R1, R2])
    first = memory.rename(key(memory, "Search flights"), "One", by="ada")
    second = memory.rename("One", "Two", by="ben")
    assert [d.key for d in second.replaces] == [first.decision.key]
    assert "Two" in nodes(memory, "Subtask")
    assert "One" not in nodes(memory, "Subtask")
    assert memory.rename("Two", "Two").already
    assert len(decisions.every(memory.store)) == 2


def test_a_decision_about_what_is_gone_lies_dormant_and_comes_back(memory: Memory) -> None:
    memory.learn([R1, R4])
    memory.rename(key(memory, "Search flights"), "Look for a flight")
    memory.forget(R1.key)
    assert memory.verify()["ok"]
    memory.learn([R1])
    assert "Look for a flight" in nodes(memory, "Subtask")


def test_whether_it_was_decided_before_or_after_learning_makes_no_difference(memory: Memory) -> None:
    memory.learn([R1])
    memory.rename(key(memory, "Search flights"), "Look for a flight")
    memory.edit('click button "Search flights"', action={"name": "Find"})
    memory.learn([R2])
    memory.learn([R3])
    with Memory.open("memory:") as other:
        for decision in reversed(decisions.every(memory.store)):
            decisions.save(other.store, decision)
        other.learn([R3, R1])
        other.learn([R2])
        assert whole(other) == whole(memory)


def test_nothing_can_be_decided_about_a_site_or_a_recording(memory: Memory) -> None:
    memory.learn([R1])
    with pytest.raises(NotFound):
        memory.rename(AIR, "Air")
    with pytest.raises(UsageError, match="at least one letter"):
        memory.rename(key(memory, "Search flights"), "  ")


# -- quarantine --------------------------------------------------------------------------------------------------------


def test_what_is_quarantined_is_in_no_plan_until_it_is_let_back(memory: Memory) -> None:
    memory.learn([R1, R2])
    task = "Find a flight from Oslo to Rome on 2027-03-09"
    assert memory.plan(task, site=AIR).fits
    memory.quarantine(key(memory, "Search flights"))
    assert not memory.plan(task, site=AIR).fits
    memory.learn([R3])
    memory.quarantine(key(memory, "Search flights with"), lift=True)
    assert memory.plan(task, site=AIR).fits


def test_a_way_through_a_quarantined_action_is_in_no_plan(memory: Memory) -> None:
    memory.learn([R1, R2])
    memory.quarantine(key(memory, 'type textbox "Date"', "Action"))
    assert not memory.plan("Find a flight from Oslo to Rome on 2027-03-09", site=AIR).fits


# -- taking back -------------------------------------------------------------------------------------------------------


def test_undo_takes_back_what_was_done_last_one_after_the_other(memory: Memory) -> None:
    memory.learn([R1, R4])
    states = [whole(memory)]
    for act in (
        lambda: memory.learn([R2, R3]),
        lambda: memory.rename(key(memory, "Search flights with"), "Look for a flight"),
        lambda: memory.judge(R3.key, "failure"),
        lambda: memory.quarantine("Look for a flight"),
    ):
        act()
        states.append(whole(memory))
    kinds = []
    while len(states) > 1:
        states.pop()
        kinds.append(memory.undo().kind)
        assert whole(memory) == states[-1]
    assert kinds == ["quarantine", "judge", "rename", "learn"]
    assert memory.undo().kind == "learn"
    assert recordings.sites(memory.store) == []
    with pytest.raises(NotFound, match="last learn"):
        memory.undo()


def test_undoing_a_learning_leaves_what_was_known_before_it(memory: Memory) -> None:
    memory.learn([R1])
    report = memory.learn([R1, R2])
    assert report.already_known == 1
    act = memory.undo()
    assert act.details["recordings"] == [R2.key]
    assert memory.show(R1.key)["judged"] == "success"


# -- merging -----------------------------------------------------------------------------------------------------------


def dumped(memory: Memory, folder: Path) -> str:
    """The whole store as text, without the times of writing."""
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "", Path(memory.dump(folder / "dump.cypher")).read_text())


def searches(memory: Memory) -> tuple[str, str]:
    """Two wordings of one button, in two ways of one task."""
    memory.learn([search("hats", "Go", "1"), search("gloves", "Go", "2"), search("socks", "Go now", "3")])
    return key(memory, 'click button "Go"', "Action", SHOP), key(memory, 'click button "Go now"', "Action", SHOP)


def provenance(memory: Memory) -> set[tuple[str, str]]:
    links = derived.read_site(memory.store, SHOP).relationships
    return {(r.kind[1], r.start) for r in links if r.kind[1] in ("USES", "INSTANCE_OF")}


def test_two_actions_that_are_merged_are_one_and_so_is_what_does_them(memory: Memory) -> None:
    one, other = searches(memory)
    before = provenance(memory)
    done = memory.merge(one, other, by="ada")
    assert [f.name for f in done.about] == ['click button "Go"']
    (task,) = nodes(memory, "Task", SHOP).values()
    ways = [r for r in derived.read_site(memory.store, SHOP).relationships if r.kind[1] == "HAS_WAY"]
    assert len(ways) == 1
    assert task["uses"] == ways[0].properties["uses"] == 3
    assert provenance(memory) == before
    assert memory.verify()["ok"]


def test_a_merge_holds_for_what_is_learnt_later(memory: Memory) -> None:
    memory.merge(*searches(memory))
    memory.learn([search("scarves", "Go now", "4")])
    assert [name for name in nodes(memory, "Action", SHOP) if "Go" in name] == ['click button "Go"']
    assert memory.verify()["ok"]


def test_undoing_a_merge_gives_the_graph_from_before(memory: Memory) -> None:
    pair = searches(memory)
    before = whole(memory)
    memory.merge(*pair)
    assert whole(memory) != before
    assert memory.undo().kind == "keep_together"
    assert whole(memory) == before


def test_a_preview_writes_nothing_and_is_what_comes(memory: Memory, tmp_path: Path) -> None:
    pair = searches(memory)
    before = dumped(memory, tmp_path)
    suggested = next(s for s in memory.merges(SHOP) if {f.key for f in s.nodes} == set(pair))
    assert '"Go" is in "Go now"' in suggested.why
    assert suggested.change == memory.merge_preview(*pair).change
    assert dumped(memory, tmp_path) == before
    old = {n.key for n in derived.read_site(memory.store, SHOP).nodes if n.label != "Page"}
    memory.merge(*pair)
    new = {n.key for n in derived.read_site(memory.store, SHOP).nodes if n.label != "Page"}
    assert {f.key for f in suggested.change.gone} == old - new
    assert {f.key for f in suggested.change.came} == new - old


def test_what_was_refused_is_not_proposed_again_and_a_later_merge_says_so(memory: Memory) -> None:
    pair = searches(memory)
    refused = memory.not_a_duplicate(*pair)
    assert not [s for s in memory.merges(SHOP) if {f.key for f in s.nodes} == set(pair)]
    memory.learn([search("scarves", "Go now", "4")])
    assert not [s for s in memory.merges(SHOP) if s.nodes[0].label == "Action"]
    done = memory.merge('click button "Go"', 'click button "Go now"')
    assert [d.key for d in done.replaces] == [refused.decision.key]
    assert len([name for name in nodes(memory, "Action", SHOP) if "Go" in name]) == 1


def test_a_later_refusal_takes_a_merge_out_of_force(memory: Memory) -> None:
    pair = searches(memory)
    before = whole(memory)
    known = decisions.every(memory.store)
    assert not known
    made = memory.merge(*pair)
    apart = replace(made.decision, kind="not_a_duplicate", at="2999-01-01T00:00:00Z", what="{}")
    decisions.save(memory.store, apart)
    memory.induce()
    assert whole(memory) == before


def test_two_tasks_that_are_merged_have_the_ways_of_both(memory: Memory) -> None:
    steps = (go("https://shop.test/"), fill("Find", "hats"), click("link", "All"))
    other = Trajectory("Look up hats in the shop", steps, site=SHOP, outcome="success", run_id="9")
    memory.learn([search("hats", "Go", "1"), search("gloves", "Go", "2"), other])
    names = list(nodes(memory, "Task", SHOP))
    done = memory.merge(*names)
    (task,) = nodes(memory, "Task", SHOP).values()
    assert [f.key for f in done.about] == [task["key"]]
    links = derived.read_site(memory.store, SHOP).relationships
    assert len([r for r in links if r.kind[1] == "HAS_WAY"]) == 2
    assert len([r for r in links if r.kind == ("Trajectory", "INSTANCE_OF", "Task")]) == 3
    assert task["uses"] == 3
    assert memory.verify()["ok"]


def test_two_subtasks_that_are_merged_are_one_and_their_actions_too(memory: Memory) -> None:
    def other(item: str, run: str) -> Trajectory:
        steps = (go("https://shop.test/"), fill("Search", item), click("button", "Go now"), click("link", "Cheapest"))
        return Trajectory(f"Cheapest {item}", steps, site=SHOP, outcome="success", run_id=run)

    memory.learn([search("hats", "Go", "1"), search("gloves", "Go", "2"), other("socks", "3"), other("caps", "4")])
    pair = sorted(nodes(memory, "Subtask", SHOP))
    before = provenance(memory)
    memory.merge(*[nodes(memory, "Subtask", SHOP)[name]["key"] for name in pair[:2]])
    assert (
        len(nodes(memory, "Subtask", SHOP)) < len(pair)
        or len([n for n in nodes(memory, "Action", SHOP) if "Go" in n]) == 1
    )
    assert provenance(memory) == before
    assert memory.verify()["ok"]


def test_what_two_sites_have_in_common_can_be_said(memory: Memory) -> None:
    def other(item: str, run: str) -> Trajectory:
        steps = (fill("Look for", item), click("button", "Go now"))
        return Trajectory(f"Find {item}", steps, site="mart.test", outcome="success", run_id=run)

    memory.learn([search("hats", "Go", "1"), search("gloves", "Go", "2"), other("socks", "3"), other("caps", "4")])
    before = whole(memory)
    assert not derived.read_general(memory.store).nodes
    suggested = memory.merges(across=True)
    pair = [f.key for f in suggested[0].nodes]
    assert {f.site for f in suggested[0].nodes} == {SHOP, "mart.test"}
    done = memory.merge(*pair)
    assert [f.site for f in done.about] == [""]
    (general,) = derived.read_general(memory.store).nodes
    assert general.properties["general"]
    assert general.properties["op"] == "click"
    assert memory.verify()["ok"]
    assert memory.merges(across=True) == []
    memory.undo()
    assert whole(memory) == before
    memory.not_a_duplicate(*pair)
    assert memory.merges(across=True) == []


def test_two_recordings_that_are_of_one_task_can_be_kept_apart(memory: Memory) -> None:
    told = [replace(search(item, "Go", item), template="one") for item in ("hats", "gloves", "socks")]
    told[2] = replace(told[2], task="Search for socks")
    memory.learn(told)
    assert len(nodes(memory, "Task", SHOP)) == 1
    memory.not_a_duplicate(told[0].key, told[2].key)
    assert sorted(t["uses"] for t in nodes(memory, "Task", SHOP).values()) == [1, 2]
    assert memory.verify()["ok"]


def test_what_does_something_else_cannot_be_merged(memory: Memory) -> None:
    searches(memory)
    with pytest.raises(GraphmemError, match="cannot be made one"):
        memory.merge('click button "Go"', key(memory, 'type textbox "Search"', "Action", SHOP))
    with pytest.raises(UsageError, match="one kind"):
        memory.merge('click button "Go"', next(iter(nodes(memory, "Task", SHOP))))
    assert not decisions.every(memory.store)


# -- edits -------------------------------------------------------------------------------------------------------------


def test_an_edited_step_is_another_wherever_it_is_used_and_stays_so(memory: Memory) -> None:
    memory.learn([R1, R2])
    memory.edit('click button "Search flights"', action={"name": "Find", "role": "link"})
    memory.learn([R3])
    assert 'click link "Find"' in nodes(memory, "Action")
    texts = [n["text"] for n in nodes(memory, "Subtask").values()]
    assert any('click link "Find"' in text for text in texts)
    assert not any('button "Search flights"' in text for text in texts)
    assert memory.verify()["ok"]
    steps = memory.plan("Find a flight from Oslo to Rome on 2027-03-09", site=AIR).to_json()["steps"]
    assert steps[-1]["target"]["name"] == "Find"


def test_a_step_is_named_by_its_number(memory: Memory) -> None:
    memory.learn([R1])
    done = memory.edit(key(memory, "Search flights"), step=1, action={"value": "https://air.test/search"})
    assert done.about[0].name == 'navigate "https://air.test/search"'
    with pytest.raises(UsageError, match="no step 99"):
        memory.edit(key(memory, "Search flights"), step=99, action={"value": "x"})


def test_a_slot_has_another_name_and_type_in_all_that_binds_it(memory: Memory) -> None:
    memory.learn([R1, R2])
    memory.edit("Find a flight from {from} to {to} on {date}", slot="from", name="origin", type="list")
    memory.edit(key(memory, "Search flights"), slot="to", name="goal")
    (task,) = nodes(memory, "Task").values()
    assert task["text"] == "Find a flight from {origin} to {to} on {date}"
    assert '"origin","type":"list"' in task["parameters"]
    assert memory.verify()["ok"]
    plan = memory.plan("Find a flight from Oslo to Rome on 2027-03-09", site=AIR)
    assert plan.fits
    assert not plan.to_json()["missing"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "what to change"),
        ({"slot": "nowhere", "name": "x"}, "no slot 'nowhere'"),
        ({"slot": "to", "name": "from"}, "cannot be called"),
        ({"slot": "to", "type": "colour"}, "no type"),
        ({"action": {"colour": "red"}}, "no 'colour'"),
        ({"action": {"op": "shout"}}, "no operation"),
        ({"action": {"name": "x"}}, "is a subtask"),
    ],
)
def test_an_edit_that_makes_no_sense_is_refused(change: Any, said: str) -> None:
    with Memory.open("memory:") as memory:
        memory.learn([R1])
        with pytest.raises(UsageError, match=said):
            memory.edit(key(memory, "Search flights"), **change)


# -- versions ----------------------------------------------------------------------------------------------------------


def test_versions_say_what_changed_and_what_from(memory: Memory) -> None:
    memory.learn([R1])
    first = key(memory, "Search flights")
    memory.learn([R2])
    memory.rename(key(memory, "Search flights"), "Look for a flight")
    found = memory.versions("Look for a flight")
    assert [v.now for v in found] == [True, False, False]
    assert found[-1].key == first
    assert [v.cause for v in found][1:] == ["1 recording more", "1 recording more"]
    assert "is called 'Look for a flight'" in found[0].cause
    assert [v.number for v in found] == sorted((v.number for v in found), reverse=True)


def test_two_versions_differ_in_their_steps(memory: Memory) -> None:
    memory.learn([R1])
    first = key(memory, "Search flights")
    memory.learn([R2])
    found = memory.diff(first, "Find a flight from {from} to {to} on {date}")
    assert not found.equal
    found = memory.diff(first, key(memory, "Search flights"))
    assert any("Accept cookies" in line for line in found.parts["steps"].added)
    assert "+   " in found.text()
    assert memory.diff(first, first).equal
    number = memory.versions(key(memory, "Search flights"))[-1].number
    assert memory.diff(first, f"{key(memory, 'Search flights')}@{number}").equal


def test_an_earlier_version_stands_again_until_more_is_learnt(memory: Memory) -> None:
    memory.learn([R1])
    first = key(memory, "Search flights")
    memory.learn([R2])
    before = whole(memory)
    memory.rollback(key(memory, "Search flights"))
    assert key(memory, "Search flights") == first
    assert memory.verify()["ok"]
    memory.induce(everything=True)
    assert key(memory, "Search flights") == first
    assert memory.undo().kind == "rollback"
    assert whole(memory) == before
    memory.rollback(key(memory, "Search flights"), to=first)
    memory.learn([replace(R1, run_id="again")])
    assert key(memory, "Search flights") != first
    assert memory.verify()["ok"]


def test_an_action_has_versions_too_and_goes_back_to_one(memory: Memory) -> None:
    def labelled(run: str, form: str) -> Trajectory:
        made = search("hats", "Go", run)
        button = made.steps[2]
        assert button.target is not None
        in_form = replace(button.target, near=replace(button.target.near, form=form))
        return replace(made, steps=(*made.steps[:2], replace(button, target=in_form)))

    memory.learn([labelled("1", "Search")])
    first = key(memory, 'click button "Go"', "Action", SHOP)
    memory.learn([labelled("2", "Find")])
    assert key(memory, 'click button "Go"', "Action", SHOP) != first
    assert [v.key for v in memory.versions('click button "Go"')][-1] == first
    before = whole(memory)
    memory.rollback('click button "Go"')
    assert key(memory, 'click button "Go"', "Action", SHOP) == first
    assert '"form":"Search"' in nodes(memory, "Action", SHOP)['click button "Go"']["target"]
    steps = derived.read_site(memory.store, SHOP).relationships
    assert len([r for r in steps if r.kind[1] == "INSTANCE_OF" and r.end == first]) == 2
    assert memory.verify()["ok"]
    memory.undo()
    assert whole(memory) == before


def test_a_task_has_versions(memory: Memory) -> None:
    memory.learn([R1])
    memory.learn([R2])
    found = memory.versions("Find a flight from {from} to {to} on {date}")
    assert found[0].now
    assert memory.diff(found[0].key, found[-1].key).parts["name"] is not None


def test_what_has_no_earlier_version_is_not_rolled_back(memory: Memory) -> None:
    memory.learn([R1])
    with pytest.raises(UsageError, match="no earlier version"):
        memory.rollback(key(memory, "Search flights"))
    with pytest.raises(UsageError, match="is a task"):
        memory.rollback(next(iter(nodes(memory, "Task"))))


# -- in the store ------------------------------------------------------------------------------------------------------


def test_a_dump_carries_what_was_decided(memory: Memory, tmp_path: Path) -> None:
    memory.learn([R1, R2])
    memory.rename(key(memory, "Search flights"), "Look for a flight")
    memory.dump(tmp_path / "all.cypher")
    with Memory.open("memory:") as other:
        other.load(tmp_path / "all.cypher")
        assert decisions.every(other.store) == decisions.every(memory.store)
        other.induce(everything=True)
        assert whole(other) == whole(memory)


def test_a_decision_is_kept_once_and_retracted_once(store: Store) -> None:
    memory = Memory(store)
    memory.learn([R1])
    decision = memory.rename(key(memory, "Search flights"), "Look for a flight").decision
    assert not decisions.save(store, decision)
    assert decisions.of(store, AIR) == [decision]
    assert recordings.stale_sites(store) == []
    decisions.retract(store, decision.key)
    assert recordings.stale_sites(store) == [AIR]
    with pytest.raises(NotFound):
        decisions.retract(store, decision.key)


def test_verify_finds_a_decision_that_was_changed(store: Store) -> None:
    from graphmem.model.graph import Node
    from graphmem.store import rows

    memory = Memory(store)
    memory.learn([R1])
    made = memory.rename(key(memory, "Search flights"), "Look for a flight").decision
    store.write(lambda tx: rows.put(tx, [Node("Decision", made.key, {"what": '{"name":"Other"}'})]))
    faults = memory.verify()["faults"]
    assert {fault["key"] for fault in faults} == {made.key}
