"""Which steps of a MiniWoB++ demonstration bear an effect: the fixed reader behind ``benchmarks.miniwob_offline``.

It reads the light records alone and shares nothing with the importer or the product's cleaning: what the product drops or
invents counts against the product. People click to focus, scroll, press Tab, click twice, on the instruction, beside
things; they fill fields twice and in any order, tick a box and untick it. What is left here are acts: a click, the value
that a field has in the end, an option chosen, a key, each on an element known by ref, tag and box, on the page before it.

- no effect: scrolls, drags, Tab and modifier keys, copying, clicks outside the page, a click on what is no control after
  which the page says the same (hover and focus aside); a control stays, and so does the last act;
- fields: everything done in one field is one act, the value that stands there afterwards; nothing where the value is the old
  one and the page the same; filled again before anything but fields was touched, the last value counts;
- a click that undoes the click before it on the same element goes with it; a box ends as it ends; a second click that
  shows nothing more is the first one recorded again;
- a key on a button is a click, Enter in a form with the click that the browser makes of it is that click;
- what is clicked is one thing by one name: an icon and the words beside it are the words; in rows that hold nothing but texts
  (sender, subject and beginning of a message) the row is its first text, wherever in it the person clicked;
- fields filled one after the other are put in the order of the page, each on the page as it would then have been.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

Dom = Mapping[str, Any]


class Element(NamedTuple):
    """A ref is not unique in a page. ``box``: left, top, width, height."""

    ref: int
    tag: str
    box: tuple[float, ...]

    def is_same(self, other: Element) -> bool:
        """Also where the page has moved it."""
        return (self.ref, self.tag) == (other.ref, other.tag)


@dataclass(frozen=True)
class Act:
    """``op``: click, type, select or press; ``dom``: the page before it; ``searched``: what was typed was only looked for, a
    suggestion chosen next replaced it."""

    op: str
    element: Element | None
    value: str
    dom: Dom
    searched: bool = False


_TYPED = frozenset(
    {"INPUT_text", "INPUT_password", "INPUT_date", "INPUT_time", "INPUT_number", "INPUT_search", "INPUT_email", "INPUT_tel",
     "TEXTAREA", "INPUT"}
)  # fmt: skip
_NATIVE = frozenset({"INPUT_date", "INPUT_time", "INPUT_number"})
_BOXES = frozenset({"INPUT_checkbox", "INPUT_radio"})
_CONTROLS = _TYPED | _BOXES | {"BUTTON", "A", "SELECT", "OPTION", "INPUT_submit", "INPUT_button"}
_SILENT_KEYS = frozenset({"Tab", "CapsLock", "Shift", "Control", "Alt", "Meta", "Home", "End", "PageUp", "PageDown"})
#: An icon is no larger than this, in pixels.
_ICON = 40
_MOMENT = re.compile(r"hover|focus|active|pressed|highlight")
_CHOICE = re.compile(r"\b(?:select|choose|pick)\s+(?P<value>.+?)\s+(?:from|in|on)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Event:
    """A recorded step with the page before and, but for the last one, after it."""

    kind: str
    element: Element | None
    raw: Mapping[str, Any]
    dom: Dom
    after: Dom | None


def effects(record: Mapping[str, Any]) -> list[Act]:
    """The acts of a demonstration that bear an effect, in order."""
    events = _meant(_events(record))
    acts = [act for run in _runs(events) for act in _acts(run, str(record["utterance"]))]
    acts = _last_values(_without_undone(_without_repeated(_seen(acts))))
    acts = [_looked_for(acts, n) for n in range(len(acts))]
    return list(_in_page_order([replace(act, element=_one_name(act)) for act in acts]))


# -- events ----------------------------------------------------------------------------------------------------------


def _events(record: Mapping[str, Any]) -> list[_Event]:
    dom: Dom = record["start_dom"]
    doms: list[Dom] = []
    for step in record["steps"]:
        dom = step.get("dom") or dom
        doms.append(dom)
    found = []
    for n, step in enumerate(record["steps"]):
        raw = step.get("forwarded") or step.get("target") or {}
        element = element_of(raw) if raw.get("tag") not in (None, "BODY", "HTML") else None
        after = doms[n + 1] if n + 1 < len(doms) else None
        found.append(_Event(step["action"], element, step, doms[n], after))
    return found


def element_of(raw: Mapping[str, Any]) -> Element:
    """Of a step's target or a node of the page."""
    tag = raw.get("tag") or raw.get("g")
    return Element(int(raw.get("ref", raw.get("r", 0))), str(tag), tuple(raw.get("box") or raw.get("b") or ()))


def _meant(events: Sequence[_Event]) -> list[_Event]:
    """Without what cannot have an effect, and with keys that act as clicks as clicks."""
    found = []
    for n, event in enumerate(events):
        following = events[n + 1] if n + 1 < len(events) else None
        if event.kind == "key":
            kept = _key(event, following)
        elif event.element is None or event.kind == "scroll":
            kept = None
        else:
            kept = event if event.kind != "drag" or event.element.tag in _TYPED else None
        if kept is not None:
            found.append(kept)
        found += _came_without_typing(event)
    return found


def _key(event: _Event, following: _Event | None) -> _Event | None:
    key, element = str(event.raw["key"]), event.element
    if key in _SILENT_KEYS or element is None:
        return None
    made = (
        following is not None
        and following.kind == "click"
        and not following.raw.get("x")
        and not following.raw.get("y")
    )
    if key in (" ", "Enter") and made:
        return None
    if key in (" ", "Enter") and element.tag in _CONTROLS - _TYPED:
        return replace(event, kind="click")
    if element.tag in _TYPED or event.raw.get("mods"):
        return event if element.tag in _TYPED else None
    changed = event.after is not None and not same_page(event.dom, event.after)
    return event if changed or event.after is None else None


def _came_without_typing(event: _Event) -> list[_Event]:
    """A field whose value is another after a drag, a scroll or a key elsewhere: text was dropped or pasted into it."""
    if event.after is None or not (event.kind in ("drag", "scroll") or (event.kind == "key" and event.raw.get("mods"))):
        return []
    found = []
    for node in nodes_of(event.after):
        element = element_of(node)
        before = _node(event.dom, element)
        elsewhere = event.element is None or not element.is_same(event.element)
        if elsewhere and element.tag in _TYPED and before is not None and _shown(node) != _shown(before):
            found.append(replace(event, kind="set", element=element))
    return found


# -- acts ------------------------------------------------------------------------------------------------------------


def _runs(events: Sequence[_Event]) -> Iterator[list[_Event]]:
    """Events in one text field or on one native list, each run together; every other event alone."""
    run: list[_Event] = []
    for event in events:
        if run and not (_group(run[-1]) and _group(run[-1]) == _group(event)):
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def _group(event: _Event) -> tuple[object, ...]:
    element = event.element
    if element is None or _works(event):
        return ()
    if element.tag in _TYPED:
        return (element.ref, element.tag)
    box = _list_of(event)
    return ("list", box.ref) if box else ()


def _works(event: _Event) -> bool:
    """A key in a field that does more than edit its text."""
    if event.kind != "key" or event.element is None or event.element.tag in _NATIVE | {"SELECT"}:
        return False
    return event.raw["key"] in ("Enter", "ArrowDown", "ArrowUp", "Escape") and not event.raw.get("mods")


def _list_of(event: _Event) -> Element | None:
    """The native list with one choice that the event is on, itself or one of its options."""
    element = event.element
    if element is None or element.tag not in ("SELECT", "OPTION"):
        return None
    if element.tag == "SELECT":
        return element
    around = next((n for n in nodes_of(event.dom) if n.get("g") == "SELECT" and _holds(n, element)), None)
    return element_of(around) if around else None


def _acts(run: Sequence[_Event], utterance: str) -> list[Act]:
    first, last = run[0], run[-1]
    element = first.element
    if _group(first) and element is not None:
        if element.tag not in _TYPED:
            return _chosen(run, utterance)
        return _filled(run, element)
    if first.kind == "key":
        return [Act("press", element, str(first.raw["key"]), first.dom)] if _shows(last) else []
    return [Act("click", element, "", first.dom)]


def _filled(run: Sequence[_Event], element: Element) -> list[Act]:
    """One field: the value that it has in the end; a click where only the page answered, nothing where nothing did."""
    first, last = run[0], run[-1]
    before = _value_in(first.dom, element) or ""
    value = _value_after(run, element)
    if value is not None and value != before:
        return [Act("type", element, value, first.dom)]
    clicked = next((e for e in run if e.kind in ("click", "dblclick")), None)
    if clicked is None:
        return []
    answered = last.after is None or not same_page(clicked.dom, last.after)
    return [Act("click", element, "", clicked.dom)] if answered else []


def _value_after(run: Sequence[_Event], element: Element) -> str | None:
    """What stands in the field after a run: what the next page shows, else what the last events said."""
    last = run[-1]
    shown = _value_in(last.after, element) if last.after is not None else None
    if shown is not None:
        return shown
    for event in reversed(run):
        told = [e["to"] for e in event.raw.get("effects", ()) if (e["ref"], e["tag"]) == element[:2]]
        if told:
            return str(told[-1])
        if isinstance(event.raw.get("value_after"), str):
            return str(event.raw["value_after"])
        if event.kind == "type":
            return str(event.raw.get("value_before") or "") + str(event.raw["text"])
    return None


def _chosen(run: Sequence[_Event], utterance: str) -> list[Act]:
    """A choice from a native list: of the recorded options the one clicked last, else the one that the instruction names.
    In a list that lets several be chosen every option is an act of its own."""
    first = run[0]
    box = _list_of(first)
    options = [e for e in run if e.element is not None and e.element.tag == "OPTION"]
    if box is None:
        return []
    clicked: dict[str, _Event] = {}
    for event in options:
        node = _node(event.dom, event.element) if event.element else None
        clicked.setdefault(text_of(node) if node else "", event)
    if clicked:
        return [Act("select", box, name, event.dom) for name, event in clicked.items()]
    node = _node(first.dom, box)
    shown = [text_of(n) for n in nodes_of(node) if n.get("g") == "OPTION"] if node else []
    named = [t for t in shown if t and re.search(rf"(?<!\w){re.escape(t)}(?!\w)", utterance)]
    match = _CHOICE.search(utterance)
    value = max(named, key=len) if named else match["value"] if match else ""
    return [Act("select", box, value, first.dom)] if value else []


def _seen(acts: Sequence[Act]) -> list[Act]:
    """Without clicks on what is no control after which the page says the same; the last act stays."""
    kept = []
    for n, act in enumerate(acts):
        after = acts[n + 1].dom if n + 1 < len(acts) else None
        tag = act.element.tag if act.element else ""
        plain = act.op == "click" and tag not in _CONTROLS and not _is_icon(act)
        if plain and after is not None and same_page(act.dom, after):
            continue
        kept.append(act)
    return kept


def _is_icon(act: Act) -> bool:
    """A small empty element with a class: what it shows after a click may be a colour."""
    node = _node(act.dom, act.element)
    if node is None or node.get("ch") or node.get("t") or not node.get("c"):
        return False
    box = node.get("b") or (0, 0, _ICON, _ICON)
    return max(box[2], box[3]) <= _ICON


def _without_repeated(acts: Sequence[Act]) -> list[Act]:
    """The same click again where it shows nothing more: before the page had changed, or without changing it."""
    kept: list[Act] = []
    for n, act in enumerate(acts):
        before = kept[-1] if kept else None
        if before and act.op == before.op == "click" and _one(before, act):
            after = acts[n + 1].dom if n + 1 < len(acts) else None
            if same_page(before.dom, act.dom) or (after is not None and same_page(act.dom, after)):
                continue
        kept.append(act)
    return kept


def _without_undone(acts: Sequence[Act]) -> list[Act]:
    """Without a click and the one after it that took it back, and without what came of boxes that end as they began."""
    kept = list(acts)
    n = 0
    while n + 1 < len(kept):
        one, other = kept[n], kept[n + 1]
        after = kept[n + 2].dom if n + 2 < len(kept) else None
        if one.op == other.op == "click" and _one(one, other) and after is not None and same_page(one.dom, after):
            del kept[n : n + 2]
            n = max(n - 1, 0)
        else:
            n += 1
    return [act for n, act in enumerate(kept) if not _box_undone(kept, n)]


def _box_undone(acts: Sequence[Act], n: int) -> bool:
    """A click on a box that leaves no trace: the box ends as it began, or another click brought it where it ends."""
    act = acts[n]
    if act.op != "click" or act.element is None or act.element.tag not in _BOXES or n + 1 == len(acts):
        return False
    states = [_state_in(a.dom, act.element) for a in acts]
    known = [state for state in states if state is not None]
    if states[n + 1] is None:
        return False
    last = next(state for state in reversed(states) if state is not None)
    if known[0] == last or states[n + 1] == states[n]:
        return True
    return any(_one(act, a) and states[m] != last for m, a in enumerate(acts) if m > n)


def _last_values(acts: Sequence[Act]) -> list[Act]:
    """Of a field filled again before anything but fields and boxes was touched only the last value."""
    kept: list[Act] = []
    for act in acts:
        earlier = _filled_before(kept, act) if act.op == "type" else None
        if earlier is not None:
            act = replace(act, dom=kept[earlier].dom) if earlier == len(kept) - 1 else act
            del kept[earlier]
        kept.append(act)
    return kept


def _filled_before(kept: Sequence[Act], act: Act) -> int | None:
    for n in range(len(kept) - 1, -1, -1):
        before = kept[n]
        if before.op == "type" and _one(before, act):
            return n
        is_box = before.element is not None and before.element.tag in _BOXES
        if before.op == "press" or (before.op == "click" and not is_box):
            return None
    return None


def _looked_for(acts: Sequence[Act], n: int) -> Act:
    """Whether what was typed was replaced by a suggestion: the next act, no typing, gave the field another value."""
    act = acts[n]
    if act.op != "type" or act.element is None or n + 2 >= len(acts):
        return act
    following, after = acts[n + 1], acts[n + 2].dom
    now, then = _value_in(following.dom, act.element), _value_in(after, act.element)
    other = following.op == "press" or not (following.element and following.element.tag in _CONTROLS)
    return replace(act, searched=bool(other and now is not None and then and then != now))


def _in_page_order(acts: Sequence[Act]) -> Iterator[Act]:
    """Fields filled one after the other in the order of the page."""
    run: list[Act] = []
    for act in acts:
        if act.op in ("type", "select") and not act.searched:
            run.append(act)
            continue
        yield from _ordered(run)
        run = []
        yield act
    yield from _ordered(run)


def _ordered(run: Sequence[Act]) -> list[Act]:
    if len(run) < 2:
        return list(run)
    places = {(n.get("r"), n.get("g")): at for at, n in enumerate(nodes_of(run[0].dom))}
    known = [places.get(act.element[:2]) if act.element else None for act in run]
    if None in known or sorted(known) == known:  # type: ignore[type-var]
        return list(run)
    found: list[Act] = []
    dom = run[0].dom
    for _, act in sorted(zip(known, run, strict=True), key=lambda pair: pair[0] or 0):
        found.append(replace(act, dom=dom))
        dom = _with_value(dom, act)
    return found


def _with_value(dom: Dom, act: Act) -> Dom:
    made: dict[str, Any] = copy.deepcopy(dict(dom))
    for node in nodes_of(made):
        if act.op == "type" and act.element and (node.get("r"), node.get("g")) == act.element[:2]:
            node["v"] = act.value  # type: ignore[index]
    return made


# -- one name for one thing ------------------------------------------------------------------------------------------


def _one_name(act: Act) -> Element | None:
    """The words beside an icon, the first text of a row of texts; else the element itself."""
    if act.op != "click" or act.element is None or act.element.tag in _CONTROLS:
        return act.element
    way = _way_to(act.dom, act.element)
    if len(way) < 2:
        return act.element
    node, parent = way[-1], way[-2]
    siblings = list(parent.get("ch") or ())
    if not text_of(node) and not node.get("ch"):
        following = siblings[siblings.index(node) + 1 :][:1]
        return element_of(following[0]) if following and _is_text(following[0]) else act.element
    if not (_is_text(node) and len(siblings) > 1 and all(map(_is_text, siblings))):
        return act.element
    alike = [
        n for n in nodes_of(act.dom) if (n.get("g"), n.get("c")) == (parent.get("g"), parent.get("c")) and n.get("c")
    ]
    return element_of(siblings[0]) if len(alike) > 1 else act.element


def _is_text(node: Dom) -> bool:
    """A plain element with a text and nothing in it."""
    return node.get("g") in ("DIV", "SPAN", "P", "B", "EM", "STRONG") and bool(node.get("t")) and not node.get("ch")


def _way_to(dom: Dom, element: Element) -> list[Dom]:
    """The nodes from the root to an element."""
    wanted = _node(dom, element)
    way: list[Dom] = []

    def found(node: Dom) -> bool:
        way.append(node)
        if node is wanted or any(found(child) for child in node.get("ch") or ()):
            return True
        way.pop()
        return False

    return way if wanted is not None and found(dom) else []


# -- pages -----------------------------------------------------------------------------------------------------------


def nodes_of(dom: Dom | None) -> Iterator[Dom]:
    """The nodes of a page in document order."""
    if dom is not None:
        yield dom
        for child in dom.get("ch") or ():
            yield from nodes_of(child)


def text_of(node: Dom) -> str:
    return " ".join(" ".join(str(n.get("t") or "") for n in nodes_of(node)).split())


def same_page(one: Dom, other: Dom) -> bool:
    """Whether two pages say and show the same; where things are drawn, hovering and focus aside."""
    return one is other or _said(one) == _said(other)


def _said(node: Dom) -> tuple[Any, ...]:
    classes = node.get("c") if isinstance(node.get("c"), str) else ""
    lasting = tuple(sorted(name for name in str(classes).split() if not _MOMENT.search(name)))
    return (node.get("g"), lasting, node.get("t"), node.get("v"), tuple(_said(c) for c in node.get("ch") or ()))


def _node(dom: Dom | None, element: Element | None) -> Dom | None:
    """The node of an element; where the page has moved it, the only one of its ref and tag."""
    if element is None:
        return None
    alike = [n for n in nodes_of(dom) if (n.get("r"), n.get("g")) == element[:2]]
    exact = [n for n in alike if tuple(n.get("b") or ()) == element.box]
    return exact[0] if exact else alike[0] if alike else None


def _holds(node: Dom, element: Element) -> bool:
    return any((n.get("r"), n.get("g")) == element[:2] for n in nodes_of(node))


def _shown(node: Dom) -> str:
    value = node.get("v")
    return value if isinstance(value, str) else ""


def _value_in(dom: Dom | None, element: Element) -> str | None:
    node = _node(dom, element)
    return None if node is None else _shown(node)


def _state_in(dom: Dom, element: Element) -> bool | None:
    node = _node(dom, element)
    return None if node is None else node.get("v") is True


def _shows(event: _Event) -> bool:
    return event.after is None or not same_page(event.dom, event.after)


def _one(one: Act, other: Act) -> bool:
    return one.element is not None and other.element is not None and one.element.is_same(other.element)
