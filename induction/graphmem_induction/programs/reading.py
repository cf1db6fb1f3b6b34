"""What of a cleaned recording is an act that a program must account for.

Cleaning keeps whatever may have had an effect, for a recording alone cannot tell. Here pages tell: a click after which the
page is what it was and that was on no control does nothing, a key on a button is a click, a field is what stands in it in
the end, a box set and set back is none, and fields filled one after the other come in the order of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.model.selection import Scene, identity_of
from graphmem.model.target import Target
from graphmem.model.trajectory import Page, Trajectory
from graphmem_induction.clean import clean
from graphmem_induction.programs.examples import Act, Demonstration
from graphmem_induction.tidy import Cleaned

_IDLE = frozenset({"tab", "shift", "capslock", "control", "alt", "meta", "home", "end", "escape", "pageup", "pagedown"})
_PRESSED = frozenset({"button", "link", "checkbox", "radio", "tab", "menuitem", "option"})
_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
#: Elements that are only text.
_PLAIN = frozenset({"div", "span", "p", "b", "em", "strong"})
_CHANGING = frozenset({"value", "checked", "selected", "expanded", "disabled", "place"})


@dataclass(frozen=True)
class _Done:
    """An act on its page. ``known``: what the element is known by."""

    act: Act
    scene: Scene
    known: tuple[object, ...]

    @property
    def role(self) -> str:
        return self.scene.sketch[self.act.index].role if self.act.index >= 0 else ""


def demonstration_of(trajectory: Trajectory, cleaned: Sequence[Cleaned] | None = None) -> Demonstration:
    """A recording as a demonstration; without acts where its steps have no pages."""
    scenes: dict[Page, Scene] = {}
    found = []
    for item in clean(trajectory) if cleaned is None else cleaned:
        page = item.step.page
        if page is None or not page.sketch:
            continue
        scene = scenes.setdefault(page, Scene(page.sketch, page.url))
        index = place_in(scene, item.step.target) if item.step.target else -1
        op = {"dblclick": "click"}.get(item.step.op, item.step.op)
        index = one_name(scene, index) if op == "click" and index >= 0 else index
        known = identity_of(scene, index) if index >= 0 else ()
        found.append(_Done(Act(op, index, "" if op == "click" else item.step.value), scene, known))
    done = _in_order(_begun(_last_values(_without_undone(_effects(found)))))
    last = (done[-1].scene,) if done else ()
    return Demonstration(trajectory.task, tuple(d.scene for d in done) + last, tuple(d.act for d in done))


def place_in(scene: Scene, target: Target) -> int:
    """The element of the page's sketch that a target is: by its place, itself or what holds it or the only one in it; else
    by what it is called."""
    place = tuple(int(part) for part in target.attribute("place").split(".") if part)
    if place:
        places = {p: n for n, p in reversed(list(enumerate(scene.places)))}
        for depth in range(len(place), 0, -1):
            if place[:depth] in places:
                return places[place[:depth]]
        inside = scene.part(place)
        return inside[0] if len(inside) == 1 else -1
    name = target.called().casefold()
    alike = [n for n in scene.by_name.get(name, ()) if scene.sketch[n].role == target.role or not target.role]
    return alike[0] if alike else -1


def one_name(scene: Scene, n: int) -> int:
    """One element for one thing: of an icon and the words beside it the words, of a row of texts the first."""
    place = scene.places[n]
    if not place or scene.sketch[n].role:
        return n
    beside = [m for m, other in enumerate(scene.places) if len(other) == len(place) and other[:-1] == place[:-1]]
    if scene.kinds[n][2] and not scene.sketch[n].text:
        following = [m for m in beside if scene.places[m][-1] == place[-1] + 1]
        return following[0] if following and _is_text(scene, following[0]) else n
    texts = len(beside) > 2 and len(beside) == len(scene.part(place[:-1])) and all(_is_text(scene, m) for m in beside)
    return beside[0] if texts and _repeats(scene, beside) else n


def _repeats(scene: Scene, beside: Sequence[int]) -> bool:
    """Whether as many texts of the same kinds stand together elsewhere on the page."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for n, place in enumerate(scene.places):
        groups.setdefault(place[:-1], []).append(n)
    kinds = [scene.kinds[n] for n in beside]
    return sum([scene.kinds[n] for n in group] == kinds for group in groups.values()) > 1


def _is_text(scene: Scene, n: int) -> bool:
    element = scene.sketch[n]
    return not element.role and bool(element.text) and element.tag in _PLAIN


def built(scene: Scene) -> tuple[object, ...]:
    """What a page is made of, whatever stands in its fields."""
    if "built" not in scene.memo:
        scene.memo["built"] = tuple(
            (e.role, e.tag, e.called(), tuple((k, v) for k, v in e.attributes if k not in _CHANGING))
            for e in scene.sketch
        )
    found: tuple[object, ...] = scene.memo["built"]
    return found


def _effects(acts: Sequence[_Done]) -> list[_Done]:
    kept: list[_Done] = []
    for n, one in enumerate(acts):
        after = acts[n + 1].scene if n + 1 < len(acts) else None
        act = one.act
        if act.op == "press":
            if one.role in _PRESSED and act.value.casefold() in ("space", "enter", " "):
                one = replace(one, act=replace(act, op="click", value=""))
            elif (
                act.value.casefold() in _IDLE
                or "+" in act.value
                or (after is not None and built(after) == built(one.scene))
            ):
                continue
        if one.act.op in ("drag", "hover", "scroll") or one.act.index < 0:
            continue
        if one.act.op == "click" and _is_idle(one, after, n + 1 == len(acts)):
            continue
        if kept and _is_twice(kept[-1], one):
            continue
        kept.append(one)
    return kept


def _is_idle(one: _Done, after: Scene | None, is_last: bool) -> bool:
    """A click that only put the cursor into a field, or hit what is no control, and changed nothing."""
    if is_last or after is None or built(after) != built(one.scene):
        return False
    element = one.scene.sketch[one.act.index]
    if one.role in _FIELDS:
        return True
    # An icon may answer by its colour alone, which no sketch tells.
    plain = one.role not in _PRESSED and element.tag not in ("label", "option") and not element.attribute("icon")
    return plain and after.sketch == one.scene.sketch


def _is_twice(one: _Done, other: _Done) -> bool:
    """The same click again on a page that the first had not changed."""
    return (
        one.act.op == other.act.op == "click"
        and one.known == other.known
        and one.scene.sketch == other.scene.sketch
        and one.role not in ("spinbutton", "checkbox")
    )


def _without_undone(acts: Sequence[_Done]) -> list[_Done]:
    """Without the clicks on a box that another click takes back before anything but boxes and fields is used."""
    kept: list[_Done] = []
    for one in acts:
        back = None
        if one.act.op == "click" and one.role == "checkbox":
            for n in range(len(kept) - 1, -1, -1):
                if kept[n].known == one.known and kept[n].act.op == "click":
                    back = n
                    break
                if kept[n].act.op == "click" and kept[n].role not in ("checkbox", "radio"):
                    break
        if back is None:
            kept.append(one)
        else:
            del kept[back]
    return kept


def _last_values(acts: Sequence[_Done]) -> list[_Done]:
    """Of a field filled again before anything but fields and boxes was used only the last value."""
    kept: list[_Done] = []
    for one in acts:
        if one.act.op == "type":
            for n in range(len(kept) - 1, -1, -1):
                if kept[n].act.op == "type" and kept[n].known == one.known:
                    one = replace(one, scene=kept[n].scene) if n == len(kept) - 1 else one
                    del kept[n]
                    break
                if kept[n].act.op != "type" and kept[n].role not in ("checkbox", "radio"):
                    break
        kept.append(one)
    return kept


def _begun(acts: Sequence[_Done]) -> list[_Done]:
    """Typing that the next act, a choice, replaced by another text in the field."""
    done = []
    for n, one in enumerate(acts):
        if one.act.op == "type" and n + 1 < len(acts) and acts[n + 1].act.op in ("click", "press"):
            later = acts[n + 2].scene if n + 2 < len(acts) else None
            shown = _value_of(later, one.known) if later is not None else ""
            if shown and shown.casefold() != one.act.value.casefold():
                one = replace(one, act=replace(one.act, begun=True))
        done.append(one)
    return done


def _value_of(scene: Scene, known: tuple[object, ...]) -> str:
    found = (e.attribute("value") for n, e in enumerate(scene.sketch) if identity_of(scene, n) == known)
    return next(found, "")


def _in_order(acts: Sequence[_Done]) -> list[_Done]:
    """Runs of fields filled on one page in the order of the page, each shown with those before it filled."""
    done: list[_Done] = []
    run: list[_Done] = []
    for one in acts:
        filling = one.act.op in ("type", "select") and not one.act.begun
        joins = filling and run and built(run[0].scene) == built(one.scene) and all(r.known != one.known for r in run)
        if run and not joins:
            done += _ordered(run)
            run = []
        if filling:
            run.append(one)
        else:
            done.append(one)
    return done + _ordered(run)


def _ordered(run: Sequence[_Done]) -> list[_Done]:
    if len(run) < 2:
        return list(run)
    sketch, done = list(run[0].scene.sketch), []
    for one in sorted(run, key=lambda one: one.act.index):
        done.append(replace(one, scene=Scene(tuple(sketch), one.scene.url)))
        filled = dict(sketch[one.act.index].attributes) | {"value": one.act.value}
        sketch[one.act.index] = replace(sketch[one.act.index], attributes=tuple(sorted(filled.items())))
    return done
