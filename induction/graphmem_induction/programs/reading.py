"""A cleaned recording as a demonstration: acts on elements of pages.

What was noise has gone with cleaning. Here each act gets its element in the page's sketch; what was typed only to be replaced
by a choice is marked as begun; and fields filled one after the other come in the order of the page, whatever order a person
took, so that demonstrations that did the same look the same.
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
        known = identity_of(scene, index) if index >= 0 else ()
        found.append(_Done(Act(op, index, "" if op == "click" else item.step.value), scene, known))
    done = _in_order(_begun(_effects(found)))
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
    """Without what moved nothing that a page tells of."""
    return [one for one in acts if one.act.op not in ("drag", "hover", "scroll") and one.act.index >= 0]


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
