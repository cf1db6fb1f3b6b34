"""Learning a grammar of routines: pairs that pay, a tolerant parse, variants merged, what does not pay dropped.

At most four rounds (the search of Sequitur and Re-Pair, steered by code length, then corrected by parsing as in
expectation maximisation): new rules from what follows what (grammar_digrams.py), the sequences parsed anew with all rules and
with room for noise (grammar_parse.py), rules that differ in one thing made one (grammar_bodies.py), rules that cost more than
they save taken out again. Everything depends on counts of the set of sequences; ties end by content.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zlib import crc32

from graphmem_induction.grammar import Grammar, Occurrence, Rules, distinct, flat
from graphmem_induction.grammar_bodies import shared, written
from graphmem_induction.grammar_digrams import Digrams
from graphmem_induction.grammar_evidence import declared, merged, noise_in
from graphmem_induction.grammar_parse import Automaton, Evidence, evidence, prices
from graphmem_induction.grammar_worth import Places, Sequences, known_counts, pruned, weighed, widths_of

ROUNDS = 4
#: More sequences than this are learned from a sample, taken by content; all are parsed at the end.
SAMPLE = 2000


def learn(sequences: Sequences, classes: Sequence[int], *, foreign: bool = True, groups: bool = True) -> Grammar:
    """The routines of the sequences. ``classes``: of each symbol; symbols are numbered by content. Without ``foreign`` a rule
    is only said to occur where no other step comes between; without ``groups`` the order in a rule is never free."""
    if not any(sequences):
        return Grammar({}, tuple(() for _ in sequences))
    sample = _sample(sequences)
    rules: Rules = {}
    seen: dict[int, Evidence] = {}
    places: Places = [[] for _ in sample]
    for turn in range(ROUNDS):
        before = set(rules.values())
        rules = _extended(sample, places, classes, rules, seen)
        rules, places, seen = _refined(sample, classes, rules, seen, passes=3 if turn == 0 else 2, groups=groups)
        if set(rules.values()) == before:
            break
    _, places = _parsed(sequences, classes, rules, seen, leaving_out=False, foreign=foreign)
    return Grammar(written(rules), tuple(tuple(found) for found in places))


def _sample(sequences: Sequences) -> Sequences:
    if len(sequences) <= SAMPLE:
        return sequences
    ranked = sorted(sequences, key=lambda s: (crc32(repr(list(s)).encode()), list(s)))
    return ranked[:SAMPLE]


def _extended(
    sequences: Sequences, places: Places, classes: Sequence[int], rules: Rules, seen: dict[int, Evidence]
) -> Rules:
    """With the rules that pay in what the rules so far leave."""
    tops = [_top(s, found, len(classes)) for s, found in zip(sequences, places, strict=True)]
    known = sorted(written(rules).items())
    search = Digrams(tops, classes, known, max(rules, default=-1) + 1)
    found = search.run()
    every = rules | found
    # Until it has been parsed with, a rule is as frequent as when it was found.
    seen.update({rule: Evidence(times=times, gaps=times) for rule, times in search.times.items()})
    return distinct({rule: flat(body, every) for rule, body in every.items()})


def _top(sequence: Sequence[int], found: Sequence[Occurrence], symbols: int) -> list[int]:
    top: list[int] = []
    at = 0
    for one in found:
        top += sequence[at : one.start]
        top.append(symbols + one.rule)
        at = one.end
    return [*top, *sequence[at:]]


def _refined(
    sequences: Sequences, classes: Sequence[int], rules: Rules, seen: dict[int, Evidence], *, passes: int, groups: bool
) -> tuple[Rules, Places, dict[int, Evidence]]:
    """The rules after parsing with them and changing them by what that shows; how they occur then."""
    for left in range(passes, 0, -1):
        before = rules
        _, places = _parsed(sequences, classes, rules, seen, leaving_out=left > 1)
        seen = evidence(places, sequences, widths_of(rules))
        rules = pruned(rules, places, sequences, classes, seen)
        rules = weighed(rules, places, sequences, classes, seen)
        noise = noise_in(sequences, classes, seen)
        rules = declared(rules, seen, noise, more=left > 1)
        rules = merged(rules, seen, classes, noise, groups=groups)
        rules = distinct(shared(rules))
        bodies = written(rules)
        rules = distinct({rule: flat(body, bodies) for rule, body in bodies.items()})
        if rules == before and left == 1:
            return rules, places, seen
    _, places = _parsed(sequences, classes, rules, seen, leaving_out=False)
    return rules, places, evidence(places, sequences, widths_of(rules))


def _parsed(
    sequences: Sequences,
    classes: Sequence[int],
    rules: Rules,
    seen: Mapping[int, Evidence],
    *,
    leaving_out: bool,
    foreign: bool = True,
) -> tuple[float, Places]:
    next_, names = known_counts(sequences, classes, rules, seen)
    automaton = Automaton(rules, prices(classes, next_, names, seen), leaving_out=leaving_out)
    total, places = 0.0, []
    cache: dict[tuple[int, ...], tuple[float, list[Occurrence]]] = {}
    for sequence in sequences:
        key = tuple(sequence)
        if key not in cache:
            cache[key] = automaton.parse(sequence, classes, foreign=foreign)
        bits, found = cache[key]
        total += bits
        places.append(found)
    return total, places
