"""Routines made of what the grammar found: calls with bindings, optional steps, what nearly pays."""

from __future__ import annotations

from graphmem_induction.compress import compress
from graphmem_induction.program import Call, Proto, Ref, Routine, unfolded


def step(name: str) -> Call:
    return Call(Proto("click", "button", name))


def way(names: str) -> tuple[Call, ...]:
    return tuple(step(name) for name in names)


def names(body: tuple[Call, ...]) -> str:
    """What a body does, all routines written out."""
    done = ""
    for call in body:
        done += call.node.name if isinstance(call.node, Proto) else names(tuple(unfolded(call.node.children, call)))
    return done


def test_a_step_that_some_ways_leave_out_is_an_optional_step_of_what_they_share() -> None:
    inner = [way("abcdef" if n % 3 else "abdef") for n in range(30)]
    rewritten = compress([(step(f"x{n}"), *middle, step(f"y{n}")) for n, middle in enumerate(inner)], [{}] * 30)
    routines = {call.node for body in rewritten for call in body if isinstance(call.node, Routine)}
    assert {tuple(c.node.kind for c in r.children if isinstance(c.node, Routine)) for r in routines} == {("optional",)}


def test_the_ways_written_out_again_are_the_ways() -> None:
    bodies = [way(text) for text in ("xabcdey", "zabcdew", "uabcdepqrsv", "tpqrsabcdem", "abncde")]
    for body, rewritten in zip(bodies, compress(bodies, [{}] * len(bodies)), strict=True):
        assert names(rewritten) == names(body)


def test_an_interrupted_occurrence_stays_written_out() -> None:
    bodies = [way(f"{n}abcdef{n + 1}") for n in range(6)] + [way("7abc8def9")]
    *_, last = compress(bodies, [{}] * 7)
    assert names(last) == "7abc8def9"
    assert all(isinstance(call.node, Proto) for call in last if call.node.order.count("8"))


def test_a_slot_reaches_the_routine_that_a_routine_calls() -> None:
    field = Proto("type", "textbox", "Query", slots=("value",))

    def search(slot: str) -> list[Call]:
        return [step("Open"), Call(field, (("value", Ref(slot)),)), step("Go"), step("Sort")]

    longer = [[step(f"a{n}"), *search(f"book{n}"), *way("pqrs")] for n in range(6)]
    shorter = [[step(f"b{n}"), *search(f"film{n}"), step(f"c{n}")] for n in range(6)]
    rewritten = compress([tuple(body) for body in longer + shorter], [{}] * 12)
    bound = [call.arg("query") for body in rewritten for call in body if isinstance(call.node, Routine)]
    assert bound == [Ref(f"book{n}") for n in range(6)] + [Ref(f"film{n}") for n in range(6)]
