"""What each candidate does in each state, worked out once: all search is arithmetic on these tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
import numpy.typing as npt

from graphmem.model.selection import Scene, Wanted, identity_of, measure, read, remembered, select
from graphmem.model.workflow import Value
from graphmem_induction.programs.examples import Demonstration, State
from graphmem_induction.programs.rules import Pattern, Step, Test
from graphmem_induction.programs.wording import tokens

Values = Mapping[str, Value]
Done = frozenset[tuple[str, tuple[object, ...]]]
#: What it costs to mean the first of two without saying so.
_VAGUE = 8.0


def elements(pattern: Pattern, scene: Scene, values: Values) -> tuple[int, ...]:
    """What the pattern means on the page, in document order."""
    return _meant(scene, pattern.bound(values))


def _meant(scene: Scene, bound: Sequence[Wanted]) -> tuple[int, ...]:
    if len(bound) == 1:
        return select(scene, bound[0])
    return tuple(sorted({n for wanted in bound for n in select(scene, wanted)}))


Would = tuple[tuple[int, str], ...]


def takes(step: Step, scene: Scene, bound: Sequence[Wanted], given: Sequence[str], done: Done) -> Would:
    """What the step would do here, as elements with values: nothing where it has nothing left to do."""
    elements_ = _meant(scene, bound)
    found: list[tuple[int, str]] = []
    for value in given:
        fresh = elements_
        if not step.again:
            known = ((n, remembered(step.op, identity_of(scene, n), value)) for n in elements_)
            fresh = tuple(n for n, name in known if name not in done)
        found += [(n, value) for n in (fresh[:1] if step.spread == "one" else fresh)]
    return tuple(found)


def values_in(step: Step, values: Values) -> tuple[str, ...]:
    """The values that the step gives: each item of a list where it is one choice of several."""
    if isinstance(step.value, str):
        return (step.value,)
    texts = step.value.texts(values)
    return texts if len(texts) == 1 or step.op == "select" else ()


def holds(test: Test, text: str, scene: Scene, values: Values) -> bool:
    match test.kind:
        case "said":
            return test.word in _norms(text)
        case "has":
            return test.word in values
        case "hasnt":
            return test.word not in values
        case "present":
            return bool(test.pattern and elements(test.pattern, scene, values))
        case "less" | "more":
            return _compares(test, scene, values)
        case _:
            return not (test.pattern and elements(test.pattern, scene, values))


def _truth(test: Test, states: Sequence[State], shown: Sequence[Demonstration], values: Sequence[Values]) -> list[bool]:
    if test.kind not in ("present", "absent") or test.pattern is None:
        return [holds(test, shown[s.of].text, s.scene, values[s.of]) for s in states]
    bound, present = [test.pattern.bound(v) for v in values], test.kind == "present"
    return [bool(_meant(s.scene, bound[s.of])) == present for s in states]


def _compares(test: Test, scene: Scene, values: Values) -> bool:
    texts = test.than.texts(values) if test.than else ()
    wanted = read(texts[0], test.reading) if len(texts) == 1 else None
    found = elements(test.pattern, scene, values) if test.pattern else ()
    shown = [m for n in found if (m := measure(scene, n, test.reading)) is not None]
    if wanted is None or not shown:
        return False
    return shown[0] < wanted if test.kind == "less" else shown[0] > wanted


_NORMS: dict[str, frozenset[str]] = {}


def _norms(text: str) -> frozenset[str]:
    if text not in _NORMS:
        _NORMS[text] = frozenset(t.norm for t in tokens(text))
    return _NORMS[text]


def outcome(state: State, shown: Demonstration, would: Would) -> int:
    """1 where what the step would do is what was done, -1 where it is something else, 0 where it does nothing here."""
    act = state.act
    if not would:
        return 0
    if act is None or not any(n == act.index and act.is_value(value) for n, value in would):
        return -1
    return 1 if len(would) == 1 or _later(act.op, state, shown, would) else -1


def _later(op: str, state: State, shown: Demonstration, would: Would) -> bool:
    """Whether all that the step would do is done by the demonstration from here on."""
    acts = dict(zip(shown.done[state.at :], shown.acts[state.at :], strict=True))
    known = [(remembered(op, identity_of(state.scene, n), value), value) for n, value in would]
    return bool(known) and all(name in acts and acts[name].is_value(value) for name, value in known)


def _outcomes(
    step: Step, states: Sequence[State], shown: Sequence[Demonstration], values: Sequence[Values], done: Sequence[Done]
) -> tuple[list[int], list[bool], float]:
    """What comes of the step in every state, where all of it is done later, and how vague it is: how many elements it is
    the first of, in bits, on average."""
    given = [values_in(step, v) for v in values]
    bound = [step.pattern.bound(v) if g else () for v, g in zip(values, given, strict=True)]
    says, later, among = [0] * len(states), [False] * len(states), []
    for n, s in enumerate(states):
        if not bound[s.of]:
            continue
        would = takes(step, s.scene, bound[s.of], given[s.of], done[n])
        if s.act is not None and s.act.op != step.op:
            says[n] = -1 if would else 0
        else:
            says[n] = outcome(s, shown[s.of], would)
        later[n] = says[n] != 0 and _later(step.op, s, shown[s.of], would)
        if says[n] > 0:
            among.append(len(_meant(s.scene, bound[s.of])) if step.spread == "one" else 1)
    return says, later, sum(map(log2, (max(n, 1) for n in among))) / max(len(among), 1)


@dataclass(frozen=True)
class Table:
    """``right`` and ``wrong``: steps x states; ``later``: where all that the step would do is done from there on;
    ``true``: tests x states."""

    steps: tuple[Step, ...]
    tests: tuple[Test, ...]
    right: npt.NDArray[np.float32]
    wrong: npt.NDArray[np.float32]
    later: npt.NDArray[np.bool_]
    true: npt.NDArray[np.float32]
    step_bits: npt.NDArray[np.float32]
    test_bits: npt.NDArray[np.float32]


def table_of(
    steps: Sequence[Step], tests: Sequence[Test], states: Sequence[State],
    shown: Sequence[Demonstration], values: Sequence[Values],
) -> Table:  # fmt: skip
    done = [frozenset(shown[s.of].done[: s.at]) for s in states]
    worked = [_outcomes(step, states, shown, values, done) for step in steps]
    outcomes = np.array([says for says, _, _ in worked], dtype=np.int8).reshape(len(steps), len(states))
    all_later = np.array([later for _, later, _ in worked], dtype=bool).reshape(len(steps), len(states))
    bits = [step.bits + _VAGUE * vague for step, (_, _, vague) in zip(steps, worked, strict=True)]
    best: dict[bytes, tuple[tuple[float, str], int]] = {}
    for n, step in enumerate(steps):
        if not (outcomes[n] > 0).any():
            continue
        key = outcomes[n].tobytes()
        rank = (bits[n], repr(step))
        if key not in best or rank < best[key][0]:
            best[key] = (rank, n)
    kept = sorted(n for _, n in best.values())
    truth = np.array([_truth(test, states, shown, values) for test in tests], dtype=np.float32).reshape(
        len(tests), len(states)
    )
    best_tests: dict[bytes, tuple[tuple[float, str], int]] = {}
    for n, test in enumerate(tests):
        total = truth[n].sum()
        if total in (0, len(states)):
            continue
        key = truth[n].tobytes()
        rank = (test.bits, repr(test))
        if key not in best_tests or rank < best_tests[key][0]:
            best_tests[key] = (rank, n)
    kept_tests = sorted(n for _, n in best_tests.values())
    return Table(
        tuple(steps[n] for n in kept),
        tuple(tests[n] for n in kept_tests),
        (outcomes[kept] > 0).astype(np.float32),
        (outcomes[kept] < 0).astype(np.float32),
        all_later[kept],
        truth[kept_tests],
        np.array([bits[n] for n in kept], dtype=np.float32),
        np.array([tests[n].bits for n in kept_tests], dtype=np.float32),
    )
