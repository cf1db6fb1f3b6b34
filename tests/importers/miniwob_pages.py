"""Look-alikes of MiniWoB++ recordings: pages as trees of recorded nodes, and what a person does on them, every event twice."""

from __future__ import annotations

import copy
from typing import Any

Dom = dict[str, Any]


def node(tag: str, ref: int, *children: Dom, **given: Any) -> Dom:
    """A recorded node. Its box follows from its ref: ten pixels each, one under the other."""
    box = {"left": 5, "top": 10 * ref, "width": 100, "height": 9}
    made = {"tag": tag, "ref": ref, "id": "", "classes": "", **box, "bgColor": "rgb(0, 0, 0)", **given}
    if tag.startswith("INPUT"):
        made = {"value": "", "text": "", **made}
    return made | {"children": list(children)}


def find(dom: Dom, ref: int) -> Dom:
    if dom["ref"] == ref:
        return dom
    return next(found for child in dom["children"] if (found := find_or_none(child, ref)))


def find_or_none(dom: Dom, ref: int) -> Dom | None:
    if dom["ref"] == ref:
        return dom
    return next((found for child in dom["children"] if (found := find_or_none(child, ref))), None)


class Demo:
    """A person at a page. ``dom`` is the page now; change it between acts as the page would."""

    def __init__(self, dom: Dom) -> None:
        self.dom = dom
        self.states: list[Dom] = [{"time": 0, "action": None, "dom": copy.deepcopy(dom)}]

    def event(self, kind: str, ref: int | None, timings: tuple[int, int] = (1, 3), **more: Any) -> None:
        for timing in timings:
            shown = copy.deepcopy(self.dom)
            if ref is not None and (target := find_or_none(shown, ref)):
                target["recordingTarget"] = True
            self.states.append(
                {"time": 10 * len(self.states), "action": {"type": kind, "timing": timing, **more}, "dom": shown}
            )

    def click(self, ref: int, x: int = 10, y: int = 0, *, kinds: str = "mousedown mouseup click") -> None:
        for kind in kinds.split():
            self.event(kind, ref, x=x, y=y or 10 * ref + 5)

    def key(self, ref: int, code: int, character: str = "") -> None:
        self.event("keydown", ref, keyCode=code, charCode=0)
        if character:
            self.event("keypress", ref, keyCode=ord(character), charCode=ord(character))
        self.event("keyup", ref, keyCode=code, charCode=0)

    def type(self, ref: int, text: str, *, into: int | None = None) -> None:
        """Letters one by one; the field shows each before its key comes up."""
        for letter in text:
            code = ord(letter.upper()) if letter.isalnum() or letter == " " else 189
            self.event("keydown", ref, keyCode=code, charCode=0)
            self.event("keypress", ref, keyCode=ord(letter), charCode=ord(letter))
            field = find(self.dom, into or ref)
            if "value" in field:
                field["value"] += letter
            self.event("keyup", ref, keyCode=code, charCode=0)

    def record(self, utterance: str = "Do it", **more: Any) -> Dom:
        given = {"taskName": "try-it", "utterance": utterance, "reward": 0.8, "rawReward": 1, "states": self.states}
        return given | more


def login() -> Dom:
    return node(
        "BODY",
        1,
        node("P", 2, node("LABEL", 3, text="Username"), node("INPUT_text", 4, id="username")),
        node("P", 5, node("LABEL", 6, text="Password"), node("INPUT_password", 7, id="password")),
        node("BUTTON", 8, text="Login", classes="secondary-action"),
    )
