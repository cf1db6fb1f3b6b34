"""Which elements of a page an ELEMENT of the workflow language means, and whether a CONDITION holds there.

A page is its sketch: elements in document order, some with their place in the page's tree. An ELEMENT describes by role,
tag, icon, name (exact, starts, ends, contains), by the row that a text stands in, and by a pick among those that fit (the
n-th, the least or most of what its row shows). ``ends`` says how a name ends beside what else is said of it, and is not asked
where its slot has no value. Texts may be bound to slots; ``bound`` fills them in, ``select`` evaluates.
The same code serves induction, which asks it of recorded pages, and a runner, which asks it of live ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from graphmem.model.target import Target
from graphmem.model.transforms import read_date, read_time
from graphmem.model.urls import page_pattern
from graphmem.model.workflow import Action, FromSlot, Value, value_of

MATCHES = ("exact", "starts", "ends", "contains")
#: How what is compared is read.
READINGS = ("number", "money", "duration", "date", "time")
#: States of a control that a condition may ask for.
STATES = ("checked", "selected", "disabled", "expanded")

_MONEY = re.compile(r"[$€£]\s?(\d[\d,]*(?:\.\d+)?)")
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_DURATION = re.compile(r"(?:(\d+)\s?d\w*\s*)?(?:(\d+)\s?h\w*)?\s*(?:(\d+)\s?m\w*)?", re.IGNORECASE)


class Wanted(NamedTuple):
    """An ELEMENT with every text known. ``nth``: from 1, or from the end below 0, 0 for all that fit; ``count``: the
    first so many of them, 0 for all. ``extreme``: least or most, ``reading``: of what. ``state``: a state and whether
    it is set."""

    role: str = ""
    tag: str = ""
    icon: str = ""
    name: str = ""
    match: str = "exact"
    ends: str = ""
    row: str = ""
    value: str = ""
    nth: int = 0
    count: int = 0  # type: ignore[assignment]
    extreme: str = ""
    reading: str = ""
    state: tuple[str, bool] | None = None


class Scene:
    """A page to be asked. Elements are known by their index in the sketch."""

    def __init__(self, sketch: Sequence[Target], url: str = "") -> None:
        self.sketch = tuple(sketch)
        self.url = url
        self.memo: dict[Any, Any] = {}

    @cached_property
    def called(self) -> tuple[str, ...]:
        return tuple(e.called().casefold() for e in self.sketch)

    @cached_property
    def kinds(self) -> tuple[tuple[str, str, str], ...]:
        return tuple(kind_of(e) for e in self.sketch)

    @cached_property
    def by_kind(self) -> Mapping[tuple[str, str, str], tuple[int, ...]]:
        found: dict[tuple[str, str, str], list[int]] = {}
        for n, kind in enumerate(self.kinds):
            found.setdefault(kind, []).append(n)
        return {kind: tuple(places) for kind, places in found.items()}

    @cached_property
    def by_name(self) -> Mapping[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for n, name in enumerate(self.called):
            found.setdefault(name, []).append(n)
        return {name: tuple(places) for name, places in found.items()}

    @cached_property
    def places(self) -> tuple[tuple[int, ...], ...]:
        return tuple(place_of(e) for e in self.sketch)

    def row_of(self, index: int) -> tuple[int, ...]:
        """The elements that stand in one row with the element: the smallest part of the page that holds several and stands
        beside others made like it; else the largest that holds no other of the element's kind, where there are others."""
        rows = self.memo.setdefault("rows", {})
        if index not in rows:
            rows[index] = self._row(index)
        found: tuple[int, ...] = rows[index]
        return found

    def part(self, root: tuple[int, ...]) -> tuple[int, ...]:
        """The elements in the part of the tree below ``root``."""
        parts = self.memo.get("parts")
        if parts is None:
            found: dict[tuple[int, ...], list[int]] = {}
            for n, place in enumerate(self.places):
                for depth in range(1, len(place) + 1):
                    found.setdefault(place[:depth], []).append(n)
            parts = self.memo["parts"] = {place: tuple(inside) for place, inside in found.items()}
        inside: tuple[int, ...] = parts.get(root, ())
        return inside

    def _rows_like(self, root: tuple[int, ...]) -> bool:
        """Whether another part beside this one is made of the same kinds of elements, by and large."""
        mine = {self.kinds[n] for n in self.part(root)}
        beside = {p[: len(root)] for p in self.places if len(p) >= len(root) and p[: len(root) - 1] == root[:-1]}
        for other in beside - {root}:
            theirs = {self.kinds[n] for n in self.part(other)}
            if len(self.part(other)) > 1 and len(mine & theirs) * 2 >= len(mine | theirs):
                return True
        return False

    def _row(self, index: int) -> tuple[int, ...]:
        place = self.places[index]
        for depth in range(len(place) - 1, 0, -1):
            root = place[:depth]
            inside = self.part(root)
            if len(inside) > 1 and self.memo.setdefault(("rows like", root), None) is None:
                self.memo["rows like", root] = self._rows_like(root)
            if len(inside) > 1 and self.memo["rows like", root]:
                return inside
        return self._own_part(index)

    def _own_part(self, index: int) -> tuple[int, ...]:
        equals = [n for n in self.by_kind[self.kinds[index]] if n != index]
        if not equals:
            return ()
        place = self.places[index]
        if place:
            depth = max(_shared(place, self.places[n]) for n in equals) + 1
            if depth < len(place):
                root = place[:depth]
                return tuple(n for n, p in enumerate(self.places) if p[:depth] == root)
        return ()

    def row_text(self, index: int) -> tuple[str, ...]:
        """What the other elements of the row say."""
        return tuple(self.called[n] for n in self.row_of(index) if self.called[n] and n != index)


def kind_of(element: Target) -> tuple[str, str, str]:
    """Role, tag and icon: what an element is, whatever it says."""
    return (element.role, element.tag, element.attribute("icon") if not element.role else "")


def place_of(element: Target) -> tuple[int, ...]:
    """Where the element stands in the page's tree: the child's number at each level, outermost first; () where unknown."""
    place = element.attribute("place")
    return tuple(map(int, place.split("."))) if place else ()


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    n = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        n += 1
    return n


# -- elements ----------------------------------------------------------------------------------------------------------


def select(scene: Scene, wanted: Wanted) -> tuple[int, ...]:
    """The elements that are meant, in document order; all that fit where nothing picks among them."""
    found = scene.memo.get(wanted)
    if found is None:
        found = scene.memo[wanted] = _select(scene, wanted)
    result: tuple[int, ...] = found
    return result


def _select(scene: Scene, wanted: Wanted) -> tuple[int, ...]:
    fitting = [n for n in _candidates(scene, wanted) if _fits(scene, n, wanted)]
    if wanted.name and wanted.match == "exact":
        # Case tells only where names differ in nothing else.
        fitting = [n for n in fitting if scene.sketch[n].called() == wanted.name] or fitting
    if wanted.extreme:
        fitting = _extreme(scene, fitting, wanted.extreme, wanted.reading)
    if wanted.nth:
        at = wanted.nth - 1 if wanted.nth > 0 else wanted.nth
        fitting = [fitting[at]] if -len(fitting) <= at < len(fitting) else []
    return tuple(fitting[: wanted.count] if wanted.count else fitting)


def _candidates(scene: Scene, wanted: Wanted) -> Sequence[int]:
    if wanted.name and wanted.match == "exact":
        return scene.by_name.get(wanted.name.casefold(), ())
    kind = (wanted.role, wanted.tag, wanted.icon)
    return scene.by_kind.get(kind, ()) if wanted.tag else range(len(scene.sketch))


def _fits(scene: Scene, n: int, wanted: Wanted) -> bool:
    role, tag, icon = scene.kinds[n]
    if (wanted.role and role != wanted.role) or (wanted.tag and tag != wanted.tag):
        return False
    if wanted.tag and not wanted.role and role:
        return False
    if wanted.icon and icon != wanted.icon:
        return False
    if wanted.name and not name_fits(wanted.name.casefold(), scene.called[n], wanted.match):
        return False
    if wanted.ends and not scene.called[n].endswith(wanted.ends.casefold()):
        return False
    if wanted.row and not _in_row(scene, n, wanted.row.casefold()):
        return False
    if wanted.value and scene.sketch[n].attribute("value").casefold() != wanted.value.casefold():
        return False
    if wanted.state is not None:
        return bool(scene.sketch[n].attribute(wanted.state[0])) == wanted.state[1]
    return True


def name_fits(wanted: str, name: str, match: str) -> bool:
    """Both case-folded."""
    match match:
        case "starts":
            return name.startswith(wanted)
        case "ends":
            return name.endswith(wanted)
        case "contains":
            return wanted in name
        case _:
            return name == wanted


def _in_row(scene: Scene, n: int, text: str) -> bool:
    return any(said == text or (len(text) > 3 and text in said) for said in scene.row_text(n))


def _extreme(scene: Scene, fitting: Sequence[int], extreme: str, reading: str) -> list[int]:
    """Those with the least or most of what their own name, else their row shows."""
    measured = {n: m for n in fitting if (m := measure(scene, n, reading)) is not None}
    if not measured:
        return []
    best = (min if extreme == "least" else max)(measured.values())
    return [n for n, m in measured.items() if m == best]


def measure(scene: Scene, n: int, reading: str) -> float | None:
    """What the element, else its row shows, as a number that compares."""
    key = ("measure", n, reading)
    if key not in scene.memo:
        value = scene.sketch[n].attribute("value")
        said = (value,) if value else (scene.called[n], *scene.row_text(n))
        scene.memo[key] = next((m for text in said if (m := read(text, reading)) is not None), None)
    found: float | None = scene.memo[key]
    return found


def read(text: str, reading: str) -> float | None:
    """A text read as a number, an amount of money, a duration (minutes), a date (days) or a time of day (minutes)."""
    return _READ[reading](text)


def _read_number(text: str) -> float | None:
    found = _NUMBER.search(text)
    return float(found[0].replace(",", "")) if found else None


def _read_money(text: str) -> float | None:
    found = _MONEY.search(text)
    return float(found[1].replace(",", "")) if found else None


def _read_duration(text: str) -> float | None:
    for found in _DURATION.finditer(text):
        days, hours, minutes = (int(part or 0) for part in found.groups())
        if found[2] or (found[3] and found[1]):
            return days * 1440.0 + hours * 60 + minutes
    return None


def _read_date(text: str) -> float | None:
    found = read_date(text)
    return float(found.toordinal()) if found else None


def _read_time(text: str) -> float | None:
    found = read_time(text)
    return found.hour * 60.0 + found.minute if found else None


_READ: Mapping[str, Callable[[str], float | None]] = {
    "number": _read_number,
    "money": _read_money,
    "duration": _read_duration,
    "date": _read_date,
    "time": _read_time,
}


def identity_of(scene: Scene, n: int) -> tuple[object, ...]:
    """What an element is known by from one page to the next: what it is and says, its row, and its number among equals."""
    key = ("identity", n)
    if key not in scene.memo:
        known = (scene.kinds[n], scene.called[n])
        row = scene.row_text(n) if not scene.called[n] or scene.kinds[n][2] else ()
        equals = [m for m in scene.by_kind[known[0]] if scene.called[m] == known[1]]
        if row:
            equals = [m for m in equals if scene.row_text(m) == row]
        scene.memo[key] = (*known, row, equals.index(n))
    found: tuple[object, ...] = scene.memo[key]
    return found


# -- the forms of the workflow language --------------------------------------------------------------------------------

Element = Mapping[str, Any]
Condition = Mapping[str, Any]
#: The parts of an element that may be bound to slots.
_TEXTS = ("name", "ends", "row", "value", "position", "count")


def texts_of(form: str | Mapping[str, str], values: Mapping[str, Value]) -> tuple[str, ...]:
    """A text of an element or comparison: itself, or what its binding comes to; none where the slot has no value."""
    if isinstance(form, str):
        return (form,)
    if form["slot"] not in values:
        return ()
    found = value_of(FromSlot(form["slot"], form.get("transform", "")), values)
    return tuple(text for text in (found if isinstance(found, tuple) else (found,)) if text)


def wanted_of(element: Element, values: Mapping[str, Value]) -> tuple[Wanted, ...]:
    """The element with its texts filled in: one for each item where a text is a list, none where a slot has no value."""
    pick = element.get("pick") or {}
    extreme = next((word for word in ("least", "most") if word in pick), "")
    base = Wanted(
        role=element.get("role", ""),
        tag=element.get("tag", ""),
        icon=element.get("icon", ""),
        match=element.get("match", "exact"),
        nth=int(pick.get("nth", 0)),
        extreme=extreme,
        reading=pick[extreme] if extreme else "",
        state=next(((name, on) for name, on in (element.get("state") or {}).items()), None),
    )
    found: list[Wanted | None] = [base]
    for part in _TEXTS:
        if element.get(part) and (part != "ends" or texts_of(element[part], values)):
            found = [_filled(w, part, text) for w in found for text in texts_of(element[part], values)]
    return tuple(w for w in found if w is not None)


def _filled(wanted: Wanted | None, part: str, text: str) -> Wanted | None:
    if wanted is None:
        return None
    if part not in ("position", "count"):
        return wanted._replace(**{part: text})  # type: ignore[arg-type]
    if not re.fullmatch(r"-?[1-9]\d{0,3}", text):
        return None
    return wanted._replace(**{"nth" if part == "position" else "count": int(text)})  # type: ignore[arg-type]


def elements_of(scene: Scene, element: Element, values: Mapping[str, Value]) -> tuple[int, ...]:
    """The elements of the page that are meant, in document order."""
    bound = wanted_of(element, values)
    if len(bound) == 1:
        return select(scene, bound[0])
    return tuple(sorted({n for wanted in bound for n in select(scene, wanted)}))


def holds(scene: Scene, condition: Condition, values: Mapping[str, Value]) -> bool:
    """Whether a condition holds on the page with these values; one that is empty always does."""
    return all(_HOLDS[word](scene, what, values) for word, what in condition.items())


def _compares(scene: Scene, what: Mapping[str, Any], values: Mapping[str, Value]) -> tuple[float, float] | None:
    reading = what.get("read", "number")
    texts = texts_of(what["than"], values)
    wanted = read(texts[0], reading) if len(texts) == 1 else None
    shown = [m for n in elements_of(scene, what["shown"], values) if (m := measure(scene, n, reading)) is not None]
    return None if wanted is None or not shown else (shown[0], wanted)


def _less(scene: Scene, what: Mapping[str, Any], values: Mapping[str, Value]) -> bool:
    pair = _compares(scene, what, values)
    return pair is not None and pair[0] < pair[1]


def _more(scene: Scene, what: Mapping[str, Any], values: Mapping[str, Value]) -> bool:
    pair = _compares(scene, what, values)
    return pair is not None and pair[0] > pair[1]


_HOLDS: Mapping[str, Callable[[Scene, Any, Mapping[str, Value]], bool]] = {
    "present": lambda scene, what, values: bool(elements_of(scene, what, values)),
    "absent": lambda scene, what, values: not elements_of(scene, what, values),
    "url": lambda scene, what, values: page_pattern(scene.url) == what,
    "said": lambda scene, what, values: what in values,
    "unsaid": lambda scene, what, values: what not in values,
    "less": _less,
    "more": _more,
    "all": lambda scene, what, values: all(holds(scene, part, values) for part in what),
}


def element_of(action: Action) -> dict[str, Any]:
    """What an action acts on, as an ELEMENT whose open parts are bound to the action's own slots."""
    target = action.target
    if target is None:
        return {}
    parts: dict[str, Any] = {
        "role": target.role, "tag": target.tag, "icon": target.attribute("icon") if not target.role else "",
        "name": target.called() if target.called() != target.attribute("icon") or target.role else "",
        "row": target.near.row, "position": target.near.position,
    }  # fmt: skip
    parts |= {slot: {"slot": slot} for slot in ("name", "ends", "row", "position", "count") if slot in action.slots}
    found: dict[str, Any] = {key: part for key, part in parts.items() if part}
    if action.match != "exact":
        found["match"] = action.match
    pick = json.loads(action.pick) if action.pick else {}
    return found | ({"pick": pick} if pick and "any" not in pick else {})


def remembered(op: str, known: tuple[object, ...], value: str) -> tuple[str, tuple[object, ...]]:
    """What an act is remembered by: a choice from a list together with what was chosen, so that several can be."""
    return (op, (*known, value.casefold())) if op == "select" else (op, known)
