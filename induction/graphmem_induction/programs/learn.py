"""The list of rules that explains demonstrations at the fewest bits.

A list is read from the top: the first rule that has something to do here says what is done; where none has, the task is
done. It grows by the insertion, at any place, of the rule that saves the most bits: a state explained saves what naming
its act would cost, a wrong act costs something, and one where the task is done costs more. Several lists are kept side by
side (beam search); the score of a list is what it saves, with something for each demonstration that it explains whole, less
the bits of its rules. A neighbour's order is free where the demonstrations took both ways.

A demonstration explained whole counts for much, so that a list pleases most of them rather than a little of each; what only
served those that it leaves unexplained is dropped in the end, for people go astray.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from graphmem.model.workflow import Value
from graphmem_induction.programs.candidates import interests_of, steps_for, tests_for
from graphmem_induction.programs.examples import Demonstration, State, states_of
from graphmem_induction.programs.naming import named_slots
from graphmem_induction.programs.rules import Rule, Step
from graphmem_induction.programs.table import Table, table_of
from graphmem_induction.programs.wording import Slot, propose, values_of

_RIGHT = 8.0
_WRONG = 5.0
_TOO_MUCH = 10.0
_WHOLE = 15.0
_JOINED = 1.0
_BEAM = 4
_RULES = 14

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Program:
    slots: tuple[tuple[str, Slot], ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True)
class _Placed:
    """A rule by its numbers in the table, and where it says something (right 1, wrong -1). ``joined``: its order with the
    rule before it is free."""

    step: int
    tests: tuple[int, ...]
    says: Floats
    joined: bool = False

    @property
    def name(self) -> tuple[int, tuple[int, ...], bool]:
        return (self.step, self.tests, self.joined)


@dataclass(frozen=True)
class _List:
    rules: tuple[_Placed, ...]
    score: float = 0.0


def learn(shown: Sequence[Demonstration]) -> Program:
    slots = propose([d.text for d in shown], [interests_of(d) for d in shown])
    named = tuple((f"slot{n}", slot) for n, slot in enumerate(slots, start=1))
    values = [values_of(dict(named), d.text) for d in shown]
    states = states_of(shown)
    steps = _steps(shown, states, values)
    tests = tests_for(shown, states, values, steps)
    table = table_of(steps, tests, states, shown, values)
    rules = _search(table, states, len(shown))
    words = sorted({t.word for rule in rules for t in rule.tests if t.kind in ("said", "unsaid")})
    said = tuple((word, Slot("said", left=(word,))) for word in words)
    return Program(*named_slots((*named, *said), rules))


def _steps(
    shown: Sequence[Demonstration], states: Sequence[State], values: Sequence[Mapping[str, Value]]
) -> list[Step]:
    """The steps that two demonstrations give reason for, where there are four or more."""
    reasons: dict[Step, set[int]] = {}
    for s in states:
        for step in steps_for(s, values[s.of], _is_repeated(shown[s.of], s)):
            reasons.setdefault(step, set()).add(s.of)
    least = 2 if len(shown) >= 4 else 1
    return [step for step, demos in reasons.items() if len(demos) >= least]


def _is_repeated(shown: Demonstration, state: State) -> bool:
    return state.act is not None and shown.done.count(shown.done[state.at]) > 1


def _search(table: Table, states: Sequence[State], demos: int) -> tuple[Rule, ...]:
    of = np.array([s.of for s in states])
    stops = np.array([s.act is None for s in states])
    best = _Searcher(table, of, stops, demos).run()
    best = _without_strays(best, table, of, stops, demos)
    return tuple(Rule(table.steps[r.step], tuple(table.tests[t] for t in r.tests), r.joined) for r in best.rules)


def _without_strays(
    listed: _List, table: Table, of: npt.NDArray[np.int64], stops: npt.NDArray[np.bool_], demos: int
) -> _List:
    """The list without the rules that only served demonstrations which it does not explain: those went astray."""
    whole = _Searcher(table, of, stops, demos).whole(listed.rules)
    if not demos > sum(whole) >= demos / 2:
        return listed
    kept = np.array([whole[d] for d in of])
    rules = tuple(replace(rule, says=rule.says[kept]) for rule in listed.rules)
    return _Searcher(_within(table, kept), of[kept], stops[kept], demos).pruned(_List(rules))


def _within(table: Table, kept: npt.NDArray[np.bool_]) -> Table:
    states = {name: getattr(table, name)[:, kept] for name in ("right", "wrong", "later", "true")}
    return replace(table, **states)


class _Searcher:
    def __init__(self, table: Table, of: npt.NDArray[np.int64], stops: npt.NDArray[np.bool_], demos: int) -> None:
        self.table, self.of, self.stops, self.demos = table, of, stops, demos
        self.cost = np.where(stops, _TOO_MUCH, _WRONG).astype(np.float32)
        self.least = 2 if demos >= 4 else 1

    def run(self) -> _List:
        beam = [_List(())]
        best = beam[0]
        seen: set[tuple[tuple[int, tuple[int, ...], bool], ...]] = set()
        for _ in range(_RULES):
            grown: list[_List] = []
            for listed in beam:
                for made in self.grow(listed):
                    name = tuple(r.name for r in made.rules)
                    if name not in seen:
                        seen.add(name)
                        grown.append(made)
            if not grown:
                break
            grown.sort(key=lambda made: (-made.score, [r.name for r in made.rules]))
            beam = grown[:_BEAM]
            best = max([best, beam[0]], key=lambda made: made.score)
        return self.pruned(best)

    def outcome(self, rules: Sequence[_Placed]) -> Floats:
        """Of each state: 1 explained, -1 explained wrongly, 0 nothing said."""
        result = np.zeros(len(self.of), dtype=np.float32)
        free = np.ones(len(self.of), dtype=bool)
        for says in self.said(rules):
            fires = free & (says != 0)
            result[fires] = says[fires]
            free &= ~fires
        return result

    def said(self, rules: Sequence[_Placed]) -> list[Floats]:
        """What each group of joined rules says: right where one is, and all others that would act do it later on."""
        groups: list[list[_Placed]] = []
        for rule in rules:
            if rule.joined and groups:
                groups[-1].append(rule)
            else:
                groups.append([rule])
        return [group[0].says if len(group) == 1 else self.together(group) for group in groups]

    def together(self, group: Sequence[_Placed]) -> Floats:
        fires = [rule.says != 0 for rule in group]
        right = np.any([rule.says > 0 for rule in group], axis=0)
        fine = np.all([~f | self.table.later[r.step] for f, r in zip(fires, group, strict=True)], axis=0)
        return np.where(right & fine, 1.0, np.where(np.any(fires, axis=0), -1.0, 0.0)).astype(np.float32)

    def score(self, rules: Sequence[_Placed]) -> float:
        result = self.outcome(rules)
        whole = sum(self.whole(rules, result))
        bits = sum(self.bits(rule) for rule in rules)
        return float(_RIGHT * (result > 0).sum() - self.cost[result < 0].sum() + _WHOLE * whole - bits)

    def whole(self, rules: Sequence[_Placed], result: Floats | None = None) -> list[bool]:
        """Which demonstrations are explained from the first act to the end."""
        result = self.outcome(rules) if result is None else result
        bad = np.where(self.stops, result != 0, result <= 0)
        known = np.bincount(self.of, minlength=self.demos) > 0
        return [bool(ok) for ok in known & (np.bincount(self.of, weights=bad, minlength=self.demos) == 0)]

    def bits(self, rule: _Placed) -> float:
        bits = self.table.step_bits[rule.step] + self.table.test_bits[list(rule.tests)].sum()
        return float(bits + (_JOINED if rule.joined else 0.0))

    def pruned(self, listed: _List) -> _List:
        """Without the rules that no longer pay."""
        rules = list(listed.rules)
        score = self.score(rules)
        n = len(rules) - 1
        while n >= 0:
            without = rules[:n] + rules[n + 1 :]
            if (less := self.score(without)) >= score:
                rules, score = without, less
                n = len(rules)
            n -= 1
        return _List(tuple(rules), score)

    def grow(self, listed: _List) -> list[_List]:
        made: list[_List] = []
        now = self.outcome(listed.rules)
        worth = np.where(now > 0, _RIGHT, np.where(now < 0, -self.cost, 0.0)).astype(np.float32)
        free = np.ones(len(self.of), dtype=bool)
        start = free.copy()
        for place in range(len(listed.rules) + 1):
            if place == 0 or place == len(listed.rules) or len(listed.rules) < 8:
                for rule in self.insertions(free, worth):
                    rules = (*listed.rules[:place], rule, *listed.rules[place:])
                    score = self.score(rules)
                    if score > listed.score:
                        made.append(_List(rules, score))
            if place:
                made += self.joining(listed, place, worth, start, now)
            if place < len(listed.rules):
                if not listed.rules[place].joined:
                    start = free.copy()
                free &= listed.rules[place].says == 0
        made.sort(key=lambda m: (-m.score, [r.name for r in m.rules]))
        return made[:_BEAM] + self.joined(listed) + self.refined(listed)

    def refined(self, listed: _List) -> list[_List]:
        """The list with one rule under one more test, where that explains more."""
        made = []
        free = np.ones(len(self.of), dtype=bool)
        for n, rule in enumerate(listed.rules):
            fires = free & (rule.says != 0)
            free &= ~fires
            if len(rule.tests) > 1 or not (fires & (rule.says < 0)).any():
                continue
            lost = np.where(fires, np.where(rule.says > 0, _RIGHT, -self.cost - _RIGHT), 0.0)
            gain = (1 - self.table.true) @ -lost - self.table.test_bits
            for t in np.argsort(-gain, kind="stable")[:4]:
                tests = tuple(sorted({*rule.tests, int(t)}))
                tested = replace(rule, tests=tests, says=rule.says * self.table.true[t])
                rules = (*listed.rules[:n], tested, *listed.rules[n + 1 :])
                if tests != rule.tests and (score := self.score(rules)) > listed.score:
                    made.append(_List(rules, score))
        return made

    def joining(
        self, listed: _List, place: int, worth: Floats, start: npt.NDArray[np.bool_], now: Floats
    ) -> list[_List]:
        """The list with a rule more that may come before or after the rule at its place, where that explains more."""
        lacking = start & (worth <= 0) & ~(self.stops & (now == 0))
        table = self.table
        gain = table.right @ np.where(lacking, _RIGHT + self.cost * (now < 0), 0.0) - table.step_bits
        made = []
        for s in np.argsort(-gain, kind="stable")[:3]:
            rule = _Placed(int(s), (), table.right[s] - table.wrong[s], True)
            rules = (*listed.rules[:place], rule, *listed.rules[place:])
            if gain[s] > 0 and (score := self.score(rules)) > listed.score:
                made.append(_List(rules, score))
        return made

    def joined(self, listed: _List) -> list[_List]:
        """The list with neighbours whose order is free, where that explains more."""
        made = []
        for n in range(1, len(listed.rules)):
            if not listed.rules[n].joined:
                rule = replace(listed.rules[n], joined=True)
                rules = (*listed.rules[:n], rule, *listed.rules[n + 1 :])
                if (score := self.score(rules)) > listed.score:
                    made.append(_List(rules, score))
        return made

    def insertions(self, free: npt.NDArray[np.bool_], worth: Floats) -> list[_Placed]:
        """The rules that would gain the most in the states that are ``free`` here."""
        table = self.table
        plus = np.where(free, _RIGHT - worth, 0).astype(np.float32)
        minus = np.where(free, -self.cost - worth, 0).astype(np.float32)
        value = table.right * plus + table.wrong * minus
        plain = value.sum(axis=1) - table.step_bits
        found: list[tuple[float, int, tuple[int, ...]]] = []
        for s in np.argsort(-plain, kind="stable")[:3]:
            found.append((float(plain[s]), int(s), ()))
        with_test = value @ table.true.T - table.step_bits[:, None] - table.test_bits[None, :]
        if with_test.size:
            flat = np.argsort(-with_test, axis=None, kind="stable")[:12]
            pairs = [tuple(int(x) for x in np.unravel_index(f, with_test.shape)) for f in flat]
            found += [(float(with_test[s, t]), s, (t,)) for s, t in pairs]
            for s, t in pairs[:6]:
                again = (value[s] * table.true[t]) @ table.true.T - table.test_bits
                u = int(np.argmax(again))
                found.append((float(again[u] - table.step_bits[s] - table.test_bits[t]), s, tuple(sorted((t, u)))))
        found.sort(key=lambda f: (-f[0], f[1], f[2]))
        chosen = []
        for gain, s, tests in found:
            if gain <= 0:
                break
            says = table.right[s] - table.wrong[s]
            for t in tests:
                says = says * table.true[t]
            if len(set(self.of[(says > 0) & free & (worth <= 0)])) >= self.least:
                chosen.append(_Placed(s, tests, says))
            if len(chosen) == _BEAM:
                break
        return chosen
