"""Which rules are worth their bits: by what their uses would cost written out, and by how the other rules would say them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem_induction.grammar import Body, Item, Maybe, Occurrence, Open, Repeat, Rules, Shuffle, Use, leaves, uses
from graphmem_induction.grammar_bodies import written
from graphmem_induction.grammar_code import alphabet, fillers, flags, normaliser, weight
from graphmem_induction.grammar_evidence import RARE, noise_in
from graphmem_induction.grammar_parse import Automaton, Evidence, Prices, prices

#: Steps on either side of an occurrence that another reading of it may take in.
_AROUND = 3
#: A rule that is so often a part of what another one says better, is a piece of that.
_MOSTLY = 0.7

Sequences = Sequence[Sequence[int]]
Places = list[list[Occurrence]]


def widths_of(rules: Rules) -> dict[int, int]:
    return {rule: len(leaves(body)) for rule, body in rules.items()}


def known_counts(
    sequences: Sequences, classes: Sequence[int], rules: Rules, seen: Mapping[int, Evidence]
) -> tuple[Counter[object], Counter[int]]:
    """Counts to price a parse with: of the last parse as far as it is known, of plain symbols before there is one."""
    names = Counter(symbol for sequence in sequences for symbol in sequence)
    next_: Counter[object] = Counter({"end": len(sequences) + len(rules)})
    for rule in rules:
        record = seen.get(rule)
        next_["r", rule] = record.times if record else 4
        if record:
            for leaf, filled in record.names.items():
                for name, n in filled.items():
                    names[name] -= max(n - 1, 0)
                del leaf
    for symbol in list(names):
        names[symbol] = max(names[symbol], 1)
        next_["c", classes[symbol]] += names[symbol]
    return next_, names


def weighed(
    rules: Rules, places: Places, sequences: Sequences, classes: Sequence[int], seen: Mapping[int, Evidence]
) -> Rules:
    """Without the rules whose occurrences the other rules say as shortly: each is parsed again without it."""
    next_, names = known_counts(sequences, classes, rules, seen)
    priced = prices(classes, next_, names, seen)
    automaton = Automaton(rules, priced, leaving_out=False, least_left_out=RARE)
    bodies = written(rules)
    widths, noise = widths_of(rules), noise_in(sequences, classes, seen)
    pieces: dict[int, Counter[tuple[int, ...]]] = {rule: Counter() for rule in rules}
    for sequence, found in zip(sequences, places, strict=True):
        bounds = [0, *(one.end for one in found)], [*(one.start for one in found[1:]), len(sequence)]
        for one, low, high in zip(found, *bounds, strict=False):
            if one.rule in pieces:
                start, end = max(low, one.start - _AROUND), min(high, one.end + _AROUND)
                pieces[one.rule][tuple(sequence[start:end])] += 1
    saved: dict[int, float] = {}
    instead: dict[int, set[int]] = {}
    pieces_only: set[int] = set()
    for rule, those in pieces.items():
        saved[rule], instead[rule] = -_price(bodies[rule], priced) - priced.end, set()
        disturbed: Counter[int] = Counter()
        wider: Counter[int] = Counter()
        narrowest = widths[rule] - sum(isinstance(item, Maybe) for item in rules[rule])
        for piece, n in those.items():
            without, other = automaton.parse(piece, classes, banned=rule)
            saved[rule] += n * (without - automaton.parse(piece, classes)[0])
            instead[rule] |= {one.rule for one in other}
            for one in other:
                taken = sum(leaf >= 0 for leaf in one.taken)
                wider[one.rule] += n if taken > narrowest else 0
                disturbed[one.rule] += n if taken >= widths[rule] - 1 and -1 in one.taken else 0
        if any(n > _MOSTLY * seen[rule].times for n in wider.values()):
            pieces_only.add(rule)
        for other_rule, n in disturbed.items():
            # What a far more frequent rule is with a foreign symbol in it, is that.
            if 2 * n > seen[rule].times and noise.explains(-1, seen[rule].times + seen[other_rule].times, n):
                pieces_only.add(rule)
    for caller in bodies.values():
        for used in uses(caller):
            saved[used] += _price(bodies[used], priced) - priced.rule[used]
    kept, leaned_on = dict(rules), set()
    for rule in sorted(rules, key=lambda r: (r not in pieces_only, round(saved[r], 6), r)):
        if saved[rule] > 0 and rule not in pieces_only:
            break
        if rule not in leaned_on:
            del kept[rule]
            leaned_on |= instead[rule]
    return kept


def _price(body: Body, priced: Prices) -> float:
    bits = 0.0
    for item in _direct(body):
        if isinstance(item, Use):
            bits += priced.rule[item.rule]
        else:
            bits += 4.0 if isinstance(item, Open) else priced.symbol[item]
    return bits


# -- by counts ---------------------------------------------------------------------------------------------------------


@dataclass
class _Tally:
    """Counts of a parse with the bodies as they are written."""

    next_: Counter[object]
    names: Counter[int]
    of_class: Counter[int]
    kinds: Counter[int]

    @property
    def total(self) -> int:
        return sum(self.next_.values())


def _tally(sequences: Sequences, places: Places, classes: Sequence[int], bodies: Rules) -> _Tally:
    tally = _Tally(Counter(), Counter(), Counter(), Counter(classes))
    tally.next_["end"] = len(sequences) + len(bodies)
    plain: Counter[int] = Counter()
    for sequence, found in zip(sequences, places, strict=True):
        at = 0
        for one in found:
            plain.update(sequence[at : one.start])
            tally.next_["r", one.rule] += 1
            plain.update(s for s, leaf in zip(sequence[one.start : one.end], one.taken, strict=True) if leaf < 0)
            at = one.end
        plain.update(sequence[at:])
    for body in bodies.values():
        for item in _direct(body):
            if isinstance(item, Use):
                tally.next_["r", item.rule] += 1
            elif isinstance(item, Open):
                tally.next_["c", item.cls] += 1
                tally.of_class[item.cls] += 1
            else:
                plain[item] += 1
    for symbol, n in plain.items():
        tally.names[symbol] += n
        tally.of_class[classes[symbol]] += n
        tally.next_["c", classes[symbol]] += n
    return tally


def _direct(body: Body) -> list[int | Open | Use]:
    """Symbols, open names and uses in a body, whatever they are in."""
    found: list[int | Open | Use] = []
    for item in body:
        match item:
            case Maybe(inner):
                found += _direct((inner,))
            case Repeat(inside) | Shuffle(inside):
                found += _direct(inside)
            case _:
                found.append(item)
    return found


def pruned(
    rules: Rules, places: Places, sequences: Sequences, classes: Sequence[int], seen: Mapping[int, Evidence]
) -> Rules:
    """Without the rules that cost more than they save, the worst first."""
    rules = {rule: body for rule, body in rules.items() if rule in seen}
    bodies = written(rules)
    tally = _tally(sequences, places, classes, bodies)
    while True:
        gains = sorted((round(gain(rule, bodies, tally, seen, classes), 6), rule) for rule in bodies)
        touched: set[int] = set()
        for saved, rule in gains:
            if saved > 0 or len(touched) > 20:
                break
            if rule in touched or touched & set(uses(bodies[rule])):
                continue
            callers = {other for other, body in bodies.items() if rule in uses(body)}
            if touched & callers:
                continue
            touched |= {rule} | callers | set(uses(bodies[rule]))
            _take_out(rule, bodies, tally, classes, seen)
        if not touched:
            return {rule: rules[rule] for rule in bodies}


def gain(rule: int, bodies: Rules, tally: _Tally, seen: Mapping[int, Evidence], classes: Sequence[int]) -> float:
    """Bits that a rule saves: what its uses would cost written out, less what it costs."""
    times = tally.next_["r", rule]
    record = seen.get(rule, Evidence())
    more_next, more_names, more_class = _spread(rule, bodies, times - 1, record, classes)
    total = tally.total
    size = sum(more_next.values())
    choices = len(tally.next_)
    saved = normaliser(total + size - times - 1, choices - 1) - normaliser(total, choices)
    saved += weight(times) + weight(tally.next_["end"]) - weight(tally.next_["end"] - 1)
    for key, n in more_next.items():
        saved += weight(tally.next_[key]) - weight(max(tally.next_[key] + n, 0))
    for symbol, n in more_names.items():
        saved += weight(tally.names[symbol]) - weight(max(tally.names[symbol] + n, 0))
    for cls, n in more_class.items():
        kinds = alphabet(tally.kinds[cls])
        saved += normaliser(max(tally.of_class[cls] + n, 0), kinds) - normaliser(tally.of_class[cls], kinds)
    return saved - _extras(bodies[rule], record)


def _extras(body: Body, record: Evidence) -> float:
    """Bits for what its occurrences say besides: gaps, what is left out, what fills open names. What a rule in it says
    is said without this one too."""
    foreign = sum(record.foreign.values())
    direct = _direct(body)
    gaps = max(record.gaps, 1)
    bits = flags(foreign, max(record.gaps - foreign, 0)) * min(1.0, (len(direct) - 1) * record.times / gaps)
    leaf = 0
    for item in body:
        if isinstance(item, Use):
            break
        if isinstance(item, Maybe):
            bits += flags(record.missing[leaf], record.times - record.missing[leaf])
        if isinstance(item, Open) and record.names.get(leaf):
            bits += fillers(record.names[leaf].values())
        leaf += len(leaves((item,)))
    return bits


def _spread(
    rule: int, bodies: Rules, more: int, record: Evidence, classes: Sequence[int]
) -> tuple[Counter[object], Counter[int], Counter[int]]:
    """What is counted more if the rule is written out at its uses."""
    next_: Counter[object] = Counter()
    names: Counter[int] = Counter()
    of_class: Counter[int] = Counter()
    leaf, exact = 0, True
    for item in _direct(bodies[rule]):
        if isinstance(item, Use):
            next_["r", item.rule] += more
            exact = False
            continue
        there = max(more - (record.missing[leaf] if exact else 0), 0)
        cls = item.cls if isinstance(item, Open) else classes[item]
        next_["c", cls] += there
        of_class[cls] += there
        if isinstance(item, Open):
            filled = record.names.get(leaf, Counter()) if exact else Counter()
            for name, n in filled.items():
                names[name] += n - 1
        else:
            names[item] += there
        leaf += 1
    return next_, names, of_class


def _take_out(rule: int, bodies: Rules, tally: _Tally, classes: Sequence[int], seen: Mapping[int, Evidence]) -> None:
    times = tally.next_["r", rule]
    next_, names, of_class = _spread(rule, bodies, times - 1, seen.get(rule, Evidence()), classes)
    for mine, more in ((tally.next_, next_), (tally.names, names), (tally.of_class, of_class)):
        for key, n in more.items():
            mine[key] = max(mine[key] + n, 0)  # type: ignore[index]
    tally.next_["end"] -= 1
    del tally.next_["r", rule]
    body = bodies.pop(rule)
    for other, theirs in list(bodies.items()):
        if rule in uses(theirs):
            bodies[other] = tuple(_inlined(theirs, rule, body))


def _inlined(body: Body, rule: int, instead: Body) -> list[Item]:
    done: list[Item] = []
    for item in body:
        match item:
            case Use(used) if used == rule:
                done += instead
            case Maybe(inner):
                done += [Maybe(part) for part in _inlined((inner,), rule, instead)]
            case Repeat(inside):
                done.append(Repeat(tuple(_inlined(inside, rule, instead))))
            case Shuffle(parts):
                done.append(Shuffle(tuple(_inlined(parts, rule, instead))))
            case _:
                done.append(item)
    return done
