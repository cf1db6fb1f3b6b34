"""The steps and tests that demonstrations give reason to consider."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from graphmem.model.selection import READINGS, Scene, Wanted, select
from graphmem.model.workflow import Value
from graphmem_induction.programs.examples import Act, Demonstration, State
from graphmem_induction.programs.rules import Of, Pattern, Step, Test
from graphmem_induction.programs.wording import forms, tokens

Values = Mapping[str, Value]


def interests_of(shown: Demonstration) -> frozenset[str]:
    """The texts that a demonstration acted on, typed, or acted beside."""
    found: set[str] = set()
    for scene, act in zip(shown.scenes, shown.acts, strict=False):
        if act.value:
            found.add(act.value.casefold())
        if act.index >= 0:
            found |= {scene.called[act.index], *scene.row_text(act.index)}
    for scene in shown.scenes:
        found |= {e.attribute("value").casefold() for e in scene.sketch if e.role in _SHOWING}
    return frozenset(text for text in found if text and len(text) <= 120)


# -- steps ------------------------------------------------------------------------------------------------------------


def steps_for(state: State, values: Values, repeated: bool) -> Iterator[Step]:
    """Every step that would take the element that was taken, with the value that was given."""
    act = state.act
    if act is None:
        return
    patterns = list(_patterns(state.scene, act.index, values)) if act.index >= 0 else [Pattern(Wanted())]
    for value in dict.fromkeys(_values(act, values)):
        for pattern in patterns:
            for spread in ("one", "all"):
                yield Step(act.op, pattern, value, False, spread)
            if repeated:
                yield Step(act.op, pattern, value, True)


def _values(act: Act, values: Values) -> Iterator[str | Of]:
    value = act.value
    yield value
    if not value:
        return
    for slot, said in values.items():
        if act.op == "select" and isinstance(said, tuple) and any(act.is_value(text) for text in said):
            yield Of(slot)
        for text, transform in _forms(said):
            if act.is_value(text):
                yield Of(slot, transform)
                break
            if not transform:
                for way in forms(text, value)[:3]:
                    yield Of(slot, way)


def _forms(said: Value) -> Iterator[tuple[str, str]]:
    if isinstance(said, str):
        yield said, ""
        return
    for n, text in enumerate(said, start=1):
        if len(said) - n < 2:
            yield text, f"item:{n - len(said) - 1}"
        if n <= 3:
            yield text, f"item:{n}"


def _patterns(scene: Scene, n: int, values: Values) -> Iterator[Pattern]:
    role, tag, icon = scene.kinds[n]
    kind, called = Wanted(role, tag, icon), scene.called[n]
    shown = scene.sketch[n].called()
    named = list(_named(kind, called, values))
    heads = [Pattern(kind)]
    if called and called != icon.casefold():
        yield (constant := Pattern(_with(kind, name=shown)))
        heads.append(constant)
        # A field is labelled "Genre" here and "Movie genre" there.
        for word in {t.said.casefold() for t in tokens(shown) if t.kind == "word" and len(t.said) > 3}:
            if role and len(shown) <= 40:
                yield Pattern(_with(kind, name=word.capitalize(), match="contains"))
    yield from named
    heads += named
    yield Pattern(kind)
    rows = list(_rows(scene, n, values))
    for m in scene.row_of(n):
        if scene.kinds[m][2] and scene.called[m] and m != n:
            yield Pattern(_with(kind, row=scene.sketch[m].called()))
    for head in heads:
        for row in rows:
            yield Pattern(head.wanted, (*head.open_, row))
            yield from _places(scene, n, Pattern(head.wanted, (*head.open_, row)), values)
        yield from _places(scene, n, head, values)


def _with(wanted: Wanted, **parts: object) -> Wanted:
    return wanted._replace(**parts)  # type: ignore[arg-type]


def _named(kind: Wanted, called: str, values: Values) -> Iterator[Pattern]:
    if not called:
        return
    bare = _with(kind, icon="")
    for slot, said in values.items():
        if isinstance(said, tuple) and any(text.casefold() == called for text in said):
            yield Pattern(bare, (("name", Of(slot)),))
        for text, item in _forms(said):
            low = text.casefold()
            if low == called:
                yield Pattern(bare, (("name", Of(slot, item)),))
                continue
            if item:
                continue
            for way in forms(text, called) or forms(text, called.title()):
                yield Pattern(bare, (("name", Of(slot, way)),))
            for match, fits in (
                ("starts", called.startswith(low)), ("ends", called.endswith(low)), ("contains", low in called),
            ):  # fmt: skip
                if fits:
                    yield Pattern(_with(bare, match=match), (("name", Of(slot)),))
                if fits and match == "starts":
                    for other, ending in values.items():
                        if other != slot and isinstance(ending, str) and called.endswith(ending.casefold()):
                            yield Pattern(_with(bare, match=match), (("name", Of(slot)), ("ends", Of(other))))


def _rows(scene: Scene, n: int, values: Values) -> Iterator[tuple[str, Of]]:
    texts = scene.row_text(n)
    if not texts:
        return
    for slot, said in values.items():
        for text, item in _forms(said):
            low = text.casefold()
            if low and any(t == low or (len(low) > 3 and low in t) for t in texts):
                yield "row", Of(slot, item)
        if isinstance(said, tuple) and any(t.casefold() in texts for t in said):
            yield "row", Of(slot)


def _places(scene: Scene, n: int, head: Pattern, values: Values) -> Iterator[Pattern]:
    """By position among those that fit, or by the least or most of what they show."""
    bound = head.bound(values)
    fitting = select(scene, bound[0]) if len(bound) == 1 else ()
    if n not in fitting or len(fitting) < 2:
        return
    at = fitting.index(n) + 1
    for nth in {at if at <= 6 else 1, -1 if at == len(fitting) else at if at <= 6 else 1}:
        yield Pattern(_with(head.wanted, nth=nth), head.open_)
    for slot, said in values.items():
        if isinstance(said, str):
            for way in ("", *(("number",) if not said.isdigit() else ())):
                pattern = Pattern(head.wanted, (*head.open_, ("nth", Of(slot, way))))
                if any(w.nth == at for w in pattern.bound(values)):
                    yield pattern
                pattern = Pattern(head.wanted, (*head.open_, ("count", Of(slot, way))))
                if any(w.count >= at for w in pattern.bound(values)):
                    yield pattern
    for reading in READINGS:
        for extreme in ("least", "most"):
            wanted = _with(bound[0], extreme=extreme, reading=reading)
            if select(scene, wanted) == (n,):
                yield Pattern(_with(head.wanted, extreme=extreme, reading=reading), head.open_)


# -- tests ------------------------------------------------------------------------------------------------------------


def tests_for(
    shown: Sequence[Demonstration], states: Sequence[State], values: Sequence[Values], steps: Sequence[Step]
) -> list[Test]:
    """Conditions that tell some states from others and rest on more than one demonstration."""
    found = [Test("said", word) for word in _words(shown, values)]
    found += [Test(kind, slot) for kind in ("has", "hasnt") for slot in sorted({slot for v in values for slot in v})]
    patterns = dict.fromkeys(_standing(states, len(shown)))
    for step in steps:
        if step.pattern.open_:
            loose = _loose(step.pattern)
            if not (loose.wanted.name or loose.wanted.row) or Pattern(loose.wanted) in patterns:
                patterns.setdefault(loose)
        if step.op in ("type", "select") and isinstance(step.value, Of):
            patterns.setdefault(Pattern(Wanted(), (("value", step.value),)))
    slots = sorted({slot for v in values for slot in v})
    for slot in slots:
        for way in _shown_forms(slot, states, values):
            patterns.setdefault(Pattern(Wanted(), (("name", Of(slot, way)),)))
            patterns.setdefault(Pattern(Wanted(), (("value", Of(slot, way)),)))
    for pattern in patterns:
        found += [Test("present", pattern=pattern), Test("absent", pattern=pattern)]
    fields = {s.scene.kinds[n] for s in states for n in range(len(s.scene.kinds)) if s.scene.kinds[n][0] in _SHOWING}
    for slot in slots:
        if all(isinstance(v.get(slot, ""), str) for v in values):
            for kind in sorted(fields):
                for word in ("less", "more"):
                    found.append(Test(word, pattern=Pattern(Wanted(*kind)), reading="number", than=Of(slot)))
    return found


_SHOWING = ("textbox", "spinbutton", "combobox", "slider")
_PARTS = ("", "date:mmmm", "date:yyyy", "date:d", "number")
_ITEMS = ("item:1", "item:2", "item:-1", "item:-2")


def _shown_forms(slot: str, states: Sequence[State], values: Sequence[Values]) -> Iterator[str]:
    """The forms of the slot that some page shows and some does not."""
    lists = any(isinstance(v.get(slot), tuple) for v in values)
    for way in _ITEMS if lists else _PARTS:
        of = Of(slot, way)
        seen = set()
        for s in states:
            for text in of.texts(values[s.of]):
                seen.add(text.casefold() in s.scene.by_name)
        if len(seen) == 2:
            yield way


def _words(shown: Sequence[Demonstration], values: Sequence[Values]) -> list[str]:
    """Words of the instructions that tell some from others and are no part of a slot."""
    counts: Counter[str] = Counter()
    for d, v in zip(shown, values, strict=True):
        inside = {t.norm for said in v.values() for part in _parts(said) for t in tokens(part) if len(tokens(part)) < 8}
        counts.update({t.norm for t in tokens(d.text) if t.kind != "mark"} - inside)
    return sorted(word for word, n in counts.items() if 2 <= n <= len(shown) - 1)


def _parts(said: Value) -> tuple[str, ...]:
    return said if isinstance(said, tuple) else (said,)


def _standing(states: Sequence[State], total: int) -> Iterator[Pattern]:
    """Elements that stand on some pages and not on others, in several demonstrations."""
    demos: dict[Wanted, set[int]] = defaultdict(set)
    count: Counter[Wanted] = Counter()
    for state in states:
        scene = state.scene
        here = set()
        for n, (role, tag, icon) in enumerate(scene.kinds):
            kind = Wanted(role, tag, icon)
            here.add(kind)
            if scene.called[n] and len(scene.called[n]) <= 60:
                here.add(_with(kind, name=scene.sketch[n].called()))
        for wanted in here:
            demos[wanted].add(state.of)
        count.update(here)
    for wanted, n in sorted(count.items(), key=lambda pair: (-len(demos[pair[0]]), repr(pair[0])))[:120]:
        if len(demos[wanted]) >= min(3, total) and len(demos[wanted]) * 4 >= total and n < len(states):
            yield Pattern(wanted)


def _loose(pattern: Pattern) -> Pattern:
    """The same without position and pick: whether there is any."""
    open_ = tuple((part, of) for part, of in pattern.open_ if part not in ("nth", "count"))
    return Pattern(_with(pattern.wanted, nth=0, extreme="", reading=""), open_)
