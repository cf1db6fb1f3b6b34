"""The demonstrations of ``miniwob_offline`` as a system is asked about them: each act on the page as the system sees it.

Which steps bear an effect is decided on the raw record (``miniwob_reader``). Here an act's element becomes an index in the
sketch of its page, by ref, tag and box. Passwords are masked on both sides as reading a recording masks them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchmarks import miniwob_data
from benchmarks.miniwob_reader import Act, Element, effects
from graphmem.importers.miniwob_dom import LIGHT, Names, read_state, ref_of
from graphmem.model.element import Node, Tree, sketch_of, told_nodes
from graphmem.model.target import Target, pairs
from graphmem.model.trajectory import Page

_TARGET = Names(box="box")
_SECRET = "{password}"


@dataclass(frozen=True)
class Screen:
    """A page as a system sees it, and for each element of its sketch what the record calls it (ref, tag and box)."""

    page: Page
    refs: tuple[str, ...]


@dataclass(frozen=True)
class Meant:
    """A step that bears an effect. ``index``: the element in the sketch of ``screen`` (-1: none is told there).
    ``open_ended``: what was typed was replaced by a suggestion, so that any beginning of it was as good."""

    op: str
    index: int
    value: str
    screen: Screen
    open_ended: bool = False

    @property
    def ref(self) -> str:
        """Ref and tag, which stay while the box may move."""
        return named(self.screen, self.index)


@dataclass(frozen=True)
class Demonstration:
    instruction: str
    steps: tuple[Meant, ...]


def named(screen: Screen, index: int) -> str:
    """Ref and tag of an element of a screen."""
    return " ".join(screen.refs[index].split(" ")[:2]) if 0 <= index < len(screen.refs) else ""


def read(record: Mapping[str, Any]) -> Demonstration:
    """A raw record; the instruction with its secrets masked, as in a trajectory."""
    instruction = miniwob_data.trajectory(record, pages=False).task
    screens: dict[int, tuple[Tree, Screen]] = {}
    steps = []
    for act in effects(record):
        if id(act.dom) not in screens:
            tree = read_state(act.dom, LIGHT).tree
            screens[id(act.dom)] = (tree, _masked(screen_of(tree), _SECRET in instruction))
        steps.append(_meant(act, *screens[id(act.dom)], _SECRET in instruction))
    return Demonstration(instruction, tuple(steps))


def screen_of(tree: Tree) -> Screen:
    return Screen(Page(sketch=sketch_of(tree)), tuple(node.ref for node in told_nodes(tree)))


def _masked(screen: Screen, secret: bool) -> Screen:
    sketch = tuple(_hidden(element) if secret else element for element in screen.page.sketch)
    return replace(screen, page=Page(sketch=sketch))


def _hidden(element: Target) -> Target:
    if element.attribute("type") != "password" or not element.attribute("value"):
        return element
    return replace(element, attributes=pairs(dict(element.attributes) | {"value": _SECRET}))


def _meant(act: Act, tree: Tree, screen: Screen, secret: bool) -> Meant:
    node = _found(tree, act.element) if act.element else None
    index = _index(tree, node) if node is not None else -1
    hides = secret and act.op == "type" and act.element is not None and act.element.tag == "INPUT_password"
    return Meant(act.op, index, _SECRET if hides else act.value, screen, act.searched)


def _found(tree: Tree, element: Element) -> Node | None:
    ref = ref_of({"ref": element.ref, "tag": element.tag, "box": list(element.box)}, _TARGET)
    alike = [n for n in tree.nodes if n.ref.split(" ")[:2] == [str(element.ref), element.tag]]
    return next((n for n in alike if n.ref == ref), alike[0] if alike else None)


def _index(tree: Tree, node: Node) -> int:
    """The element of the sketch that a node is: itself, the innermost that holds it, else the only one in it or, going
    outwards, beside it."""
    told = {id(n): index for index, n in enumerate(told_nodes(tree))}
    way = [node, *tree.ancestors(node)]
    for outer in way:
        if id(outer) in told and outer.tag not in ("body", "html", "form"):
            return told[id(outer)]
    for outer in way:
        held = [told[id(n)] for n in tree.inside(outer) if id(n) in told]
        if held:
            return held[0] if len(held) == 1 else -1
    return -1
