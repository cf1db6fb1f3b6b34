"""The scorer of next steps and its baselines, on recordings so small that every hit can be counted by hand."""

from __future__ import annotations

from benchmarks import next_step
from benchmarks.next_step import Asked, Recorded, Split
from benchmarks.workflow_measures import Read
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory


def read(name: str) -> Read:
    return Read("click", "button", name)


def recorded(names: str, site: str = "s.test") -> Recorded:
    steps = tuple(Step("click", Target(role="button", name=name.upper())) for name in names)
    return Recorded(Trajectory("Do it", steps, site=site, run_id=f"{site}{names}"), tuple(map(read, names)))


def question(before: str, site: str = "s.test") -> Asked:
    return Asked(site, "", "Do it", (), tuple(map(read, before)))


def names(system: next_step.System, before: str, site: str = "s.test") -> str:
    return "".join(step.name for step in system(question(before, site)))


TRAINING = [recorded("abc"), recorded("abd"), recorded("abc", "t.test"), recorded("xb", "t.test")]


def test_each_step_is_asked_with_the_true_steps_before_it():
    pairs = list(next_step.asked(recorded("ab")))
    assert [answer.name for _, answer in pairs] == ["a", "b"]
    assert [len(asked.history) for asked, _ in pairs] == [0, 1]
    assert pairs[1][0].before == (read("a"),)
    assert pairs[1][0].history[0].target == Target(role="button", name="A")


def test_a_step_said_twice_takes_one_place():
    assert next_step.place([read("a"), read("a"), read("b")], read("b")) == 2


def test_a_step_that_is_not_said_has_no_place():
    assert next_step.place([read("a")], read("b")) == 0
    assert next_step.place([], read("b")) == 0


def test_the_automaton_knows_its_state_by_the_last_step_alone():
    system = next_step.automaton(TRAINING)
    assert names(system, "ab") == names(system, "zb") == "cd"
    assert names(system, "") == "a"


def test_the_automaton_has_no_answer_in_a_state_it_never_saw():
    assert names(next_step.automaton(TRAINING), "az") == ""


def test_on_an_unknown_site_the_automaton_is_that_of_all_sites():
    assert names(next_step.automaton(TRAINING), "", "new.test") == "ax"


def test_the_bigram_backs_off_to_what_is_usual_and_then_to_other_sites():
    said = names(next_step.bigram(TRAINING), "z")
    assert said.startswith("abcd")
    assert "x" in said


def test_hits_are_counted_by_recording():
    system = next_step.automaton(TRAINING)
    assert next_step.hits(system, [recorded("abc"), recorded("abz")]) == [[1, 1, 1], [1, 1, 0]]


def test_steps_that_were_seen_on_the_site_are_known_and_on_any_site_where_sites_are_new():
    here = Split("s", TRAINING, [recorded("xz")])
    anywhere = Split("s", TRAINING, [recorded("xz", "new.test")], known_sites=False)
    assert next_step.known(here) == [[0.0, 0.0]]
    assert next_step.known(anywhere) == [[1.0, 0.0]]


def test_a_step_is_read_without_its_value_and_with_its_name_folded():
    step = Step("type", Target(role="textbox", name="Search  Box"), value="shoes")
    assert next_step.read_step(step) == Read("type", "textbox", "search box")
    assert next_step.read_step(Step("answer", value="4")) == Read("answer", "", "")


def test_the_product_expects_what_it_learned():
    system = next_step.graph(TRAINING)
    trajectory = recorded("abc").trajectory
    said = system(Asked("s.test", "", "Do it", trajectory.steps[:1], (read("a"),)))
    assert said[0] == read("b")
