"""The scorer of held-out steps: what it reads, which slots it fills, what it counts."""

from __future__ import annotations

from dataclasses import replace

from benchmarks import webarena_steps
from benchmarks.prose import target_of_prose
from benchmarks.webarena_data import Answers, Run
from graphmem.model.trajectory import Step, Trajectory


def click(prose: str) -> Step:
    return Step("click", target_of_prose(prose))


def recorded(names: str, task: str = "Do it", outcome: str = "success") -> Trajectory:
    steps = tuple(click(f"{name} button") for name in names)
    return Trajectory(task, steps, site="s.test", outcome=outcome, run_id=f"{task}{names}")


def run(names: str, template: int, line: int, outcome: str = "success") -> Run:
    return Run(recorded(names, outcome=outcome), Answers(line, "Do it", template, "{}", "", line))


def test_the_head_phrase_ends_at_the_first_preposition():
    assert webarena_steps.prose(click("Go button next to the search box")) == ("click", "go button")
    assert webarena_steps.prose(Step("answer", value="4")) == ("answer", "")


def test_a_control_is_read_by_role_and_name():
    assert webarena_steps.control(click("Go button next to the search box")) == ("click", "button go")


def test_words_in_which_instructions_differ_are_put_for_each_other():
    step = webarena_steps.filled(click("Oslo link in the list"), "Open the page of Oslo.", "Open the page of New Rome.")
    assert webarena_steps.prose(step) == ("click", "new rome link")


def test_a_word_of_the_instruction_inside_another_word_stays():
    assert webarena_steps.filled(click("Osloer link"), "Open Oslo", "Open Rome") == click("Osloer link")


def test_common_steps_are_counted_in_order():
    assert webarena_steps.common([("a", "")] * 2, [("a", "")]) == 1
    assert webarena_steps.common([("a", ""), ("b", "")], [("b", ""), ("a", "")]) == 1


def test_recall_and_precision_are_shares_of_the_held_out_and_of_the_said_steps():
    said = webarena_steps.told(recorded("abx"))
    assert webarena_steps.scored(said, recorded("abcd"), webarena_steps.prose) == (2 / 4, 2 / 3)
    assert webarena_steps.scored([], recorded("ab"), webarena_steps.prose) == (0, 0)


def test_only_templates_with_three_passing_runs_are_asked():
    runs = [run("a", 1, 0), run("b", 1, 1), run("c", 1, 2, "failure"), run("a", 2, 3), run("b", 2, 4), run("c", 2, 5)]
    asked = webarena_steps.questions(runs, 1)
    assert [question.template for question in asked] == [2]
    assert asked[0].held_out not in asked[0].others
    assert len(asked[0].others) == 2


def test_which_run_is_held_out_does_not_hang_on_the_order_of_runs():
    runs = [run(name, 1, line) for line, name in enumerate("abcde")]
    assert webarena_steps.questions(runs, 3) == webarena_steps.questions(runs[::-1], 3)


def test_the_medoid_is_the_run_most_like_the_others():
    others = [recorded("abc"), recorded("abd"), recorded("xyz")]
    assert webarena_steps.medoid(others, webarena_steps.prose) in others[:2]


def test_half_keeps_what_at_least_half_of_the_runs_have():
    others = [recorded("abc"), recorded("abd"), recorded("abx")]
    said = webarena_steps.half(others, webarena_steps.prose)
    assert [webarena_steps.prose(step)[1] for step, _ in said] == ["a button", "b button"]


def as_read(step: Step, said: str) -> tuple[str, str]:
    return webarena_steps.prose(webarena_steps.filled(step, said, "Do it again"))


def test_the_product_says_what_all_runs_of_the_task_did():
    others = [recorded("abc", "Do it once"), recorded("abc", "Do it twice")]
    said = webarena_steps.webarena_steps_graph.steps(1, others, "Do it again", as_read)
    assert [webarena_steps.prose(step)[1] for step, _ in said] == ["a button", "b button", "c button"]


def test_as_recorded_a_step_comes_with_what_half_of_the_runs_had_before_it():
    others = [recorded("abc", task) for task in ("Do it once", "Do it twice", "Do it now")]
    scrolled = [replace(run, steps=(run.steps[0], Step("scroll"), *run.steps[1:])) for run in others[:2]]
    steps = webarena_steps.webarena_steps_graph.steps
    plain = [step.op for step, _ in steps(1, [*scrolled, others[2]], "Do it again", as_read)]
    told = [step.op for step, _ in steps(1, [*scrolled, others[2]], "Do it again", as_read, as_recorded=True)]
    assert (plain, told) == (["click"] * 3, ["click", "scroll", "click", "click"])
