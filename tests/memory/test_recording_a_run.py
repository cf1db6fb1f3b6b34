"""``memory.record``: a recording from one's own loop."""

import pytest
from support.own_loop import run_apart

from graphmem import AsyncMemory, Memory, Page, Target, UsageError
from graphmem.store import recordings


@pytest.fixture
def memory():
    with Memory.open("memory:") as opened:
        yield opened


def test_a_run_is_stored_as_it_was_told(memory):
    with memory.record("Reserve Dune", site="library.test", domain="culture") as run:
        run.step("navigate", value="https://library.test/")
        run.step("type", target=Target("textbox", "Title"), value="Dune", page=Page("https://library.test/", "Library"))
        run.step(
            "click", target={"role": "button", "name": "Reserve"}, page="https://library.test/dune", reasoning="found"
        )
        run.done("success", answer="reserved")
    kept = recordings.get(memory.store, run.key)
    trajectory = kept.trajectory
    assert (trajectory.task, trajectory.site, trajectory.domain) == ("Reserve Dune", "library.test", "culture")
    assert [step.op for step in trajectory.steps] == ["navigate", "type", "click"]
    assert trajectory.steps[1].target == Target("textbox", "Title")
    assert trajectory.steps[2].page == Page("https://library.test/dune")
    assert trajectory.answer == "reserved"
    assert kept.judged == "success"


def test_the_same_run_twice_is_two_recordings(memory):
    for _ in range(2):
        with memory.record("Reserve Dune", site="library.test") as run:
            run.step("click", target="Reserve")
    assert memory.stats()["trajectories"] == 2


def test_a_run_that_raises_is_stored_as_a_failure_and_the_error_goes_on(memory):
    def fails(run):
        run.step("click", target="Reserve")
        run.done("success")
        raise ZeroDivisionError("hunter2")

    with pytest.raises(ZeroDivisionError), memory.record("Reserve Dune", site="library.test") as run:
        fails(run)
    kept = recordings.get(memory.store, run.key)
    assert kept.judged == "failure"
    assert "ZeroDivisionError" in kept.trajectory.extra
    assert "hunter2" not in kept.trajectory.extra


def test_a_run_without_steps_stores_nothing(memory):
    with memory.record("Reserve Dune") as run:
        pass
    assert run.key == ""
    assert memory.stats()["trajectories"] == 0


def test_a_secret_typed_in_a_run_never_reaches_the_store(memory):
    with memory.record("Log in", site="library.test") as run:
        run.step(
            "type", target={"role": "textbox", "name": "Password", "attributes": {"type": "password"}}, value="hunter2"
        )
    (step,) = recordings.get(memory.store, run.key).trajectory.steps
    assert step.secret
    assert "hunter2" not in str(memory.store.read(_query()))


def _query():
    from graphmem_queries import Query

    return Query("all", "", (), (("", "MATCH (n) RETURN properties(n) AS properties ORDER BY n.key"),))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"op": "clikc"}, "click"),
        ({"op": "click", "target": {"roel": "button"}}, "role"),
        ({"op": "click", "page": {"adress": "x"}}, "adress"),
        ({"op": "type", "value": 7}, "string"),
        ({"op": "type", "value": "\ud800"}, "surrogate"),
    ],
)
def test_a_step_that_cannot_be_is_refused_when_it_is_given(memory, wrong, told):
    with memory.record("Reserve Dune", site="library.test") as run:
        with pytest.raises(UsageError, match=told):
            run.step(**wrong)
        run.step("click", target="Reserve")
    assert memory.stats()["steps"] == 1


def test_a_reward_beyond_one_is_refused(memory):
    with memory.record("Reserve Dune", site="library.test") as run:
        with pytest.raises(UsageError, match="outcome"):
            run.done(reward=7.0)
        with pytest.raises(UsageError, match="succes"):
            run.done("succes")


def test_a_run_may_be_recorded_from_a_coroutine():
    async def fails(memory: AsyncMemory) -> None:
        async with memory.record("Reserve Emma", site="library.test") as failed:
            failed.step("click", target="Reserve")
            raise ZeroDivisionError

    async def told() -> tuple[int, str]:
        async with await AsyncMemory.open("memory:") as memory:
            async with memory.record("Reserve Dune", site="library.test") as run:
                run.step("click", target="Reserve")
            with pytest.raises(ZeroDivisionError):
                await fails(memory)
            verdicts = sorted(r.judged for r in recordings.load(memory.memory.store, "library.test"))
            return len(verdicts), verdicts[0]

    assert run_apart(told()) == (2, "failure")
