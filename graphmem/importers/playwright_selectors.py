"""Playwright's selectors as targets: the chain that its locators are made of, in the form that its traces write.

``internal:role=link[name="Help"i]``, ``internal:label="Email"i``, ``tr >> internal:has-text="1201"i >> internal:role=cell``,
``iframe >> internal:control=enter-frame >> ...``, the older ``text=``, ``xpath=`` and plain CSS. The last element of the chain
is the target; one before it is what the target stands in (its row, form, section), a frame before it is its frame, and what
narrows it (text, position) is told as such. Recorded programs are turned into the same chain, so that an act is one thing
whichever way it was recorded.

A letter of the private use areas is the picture of an icon font: it is taken out of a name that has other letters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.importers.selectors import blank, fill, learn_attribute, learn_css, learn_xpath, settle

ENTER_FRAME = "internal:control=enter-frame"
_ENGINE = re.compile(r"(internal:[\w-]+|[a-zA-Z_][\w-]*?)=", re.DOTALL)
_ROLE = re.compile(r"\s*([\w-]+)")
_STRING = r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'"
_ATTRIBUTE = re.compile(rf"\[\s*([\w-]+)\s*(?:[~|^$*]?=\s*({_STRING}|/(?:\\.|[^/\\])*/|[^\]\s]+)\s*\w*\s*)?\]")
_ICONS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd\u200b\ufe0f]+")
_META = re.compile(r"(?<!\\)[.*+?()\[\]{}|]|\\[dDwWsSbB]")
#: Engines that name an element; any other narrows the one before it.
_ELEMENTS = frozenset(
    {"role", "label", "attr", "testid", "text", "css", "xpath", "id", "data-testid", "data-test", "data-test-id"}
)
_SAYS_TEXT = frozenset({"internal:has-text", "has-text", "internal:text", "text"})
_ROWS = frozenset({"row", "tr", "listitem", "li", "treeitem"})
_FORMS = frozenset({"form", "search"})


@dataclass(frozen=True)
class Part:
    """One link of a chain: ``engine`` without ``internal:`` (``css`` where none is written) and what follows its sign."""

    engine: str
    body: str


def target_of(selector: str, op: str = "") -> dict[str, Any]:
    """The target (neutral form) that a selector finds; ``op`` is what is done to it."""
    *frames, own = _by_frame(list(parts(selector)))
    target = blank([_frame(chain) for chain in frames])
    at = max((i for i, part in enumerate(own) if part.engine in _ELEMENTS), default=0)
    for part in own[at:]:
        _learn(target, part)
    for container in _grouped(own[:at]):
        _place(target, container)
    target["locators"] = [{"kind": "playwright", "value": selector}]
    return settle(target, op)


def parts(selector: str) -> Iterator[Part]:
    """The links of a chain, in order."""
    for text in _split(selector):
        match = _ENGINE.match(text)
        if text.startswith(("//", "(//", "..")):
            yield Part("xpath", text)
        elif match and (
            match[1].startswith("internal:") or match[1] in _ELEMENTS or match[1] in ("nth", "visible", "has-text")
        ):
            yield Part(match[1].removeprefix("internal:"), text[match.end() :])
        elif len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
            yield Part("text", text)
        else:
            yield Part("css", text)


def _split(selector: str) -> Iterator[str]:
    """The pieces between ``>>``, which count for nothing in quotes."""
    piece, quote, at = "", "", 0
    while at < len(selector):
        sign = selector[at]
        if sign == "\\":
            piece, at = piece + selector[at : at + 2], at + 2
            continue
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif selector.startswith(">>", at):
            yield piece.strip()
            piece, at = "", at + 2
            continue
        piece, at = piece + sign, at + 1
    yield piece.strip()


def _by_frame(chain: list[Part]) -> list[list[Part]]:
    groups: list[list[Part]] = [[]]
    for part in chain:
        if part.engine == "control":
            groups.append([])
        else:
            groups[-1].append(part)
    return groups


def _frame(chain: list[Part]) -> str:
    """What a frame is found by: its name, title or id where it has one, else the selector."""
    target = blank()
    for part in chain:
        _learn(target, part)
    known = target["attributes"]
    called = target["name"] or known.get("title") or known.get("name") or known.get("id")
    return str(called or " >> ".join(part.body for part in chain))


def _grouped(chain: list[Part]) -> Iterator[list[Part]]:
    """Each element of a chain with what narrows it."""
    group: list[Part] = []
    for part in chain:
        if part.engine in _ELEMENTS and group:
            yield group
            group = []
        group.append(part)
    if group:
        yield group


def _place(target: dict[str, Any], container: list[Part]) -> None:
    """Say where the target stands. A container without a name says nothing."""
    found = blank()
    for part in container:
        _learn(found, part)
    name = next((found[key] for key in ("name", "label", "text") if found[key]), "")
    kind = found["role"] or found["tag"]
    place = "row" if kind in _ROWS else "form" if kind in _FORMS else "section"
    if name and not target["near"].get(place):
        target["near"][place] = name


def _learn(target: dict[str, Any], part: Part) -> None:
    if part.engine in _LEARN:
        _LEARN[part.engine](target, part.body)


def _learn_role(target: dict[str, Any], body: str) -> None:
    match = _ROLE.match(body)
    target["role"] = target["role"] or (match[1] if match else "")
    for key, value in _ATTRIBUTE.findall(body):
        if key == "name":
            fill(target, "name", said(value))


def _learn_attr(target: dict[str, Any], body: str) -> None:
    for key, value in _ATTRIBUTE.findall(body):
        if key == "placeholder":
            fill(target, "placeholder", said(value))
        else:
            learn_attribute(target, key, said(value))
        if key == "alt":
            target["role"] = target["role"] or "img"


def _learn_test_id(target: dict[str, Any], body: str) -> None:
    for _, value in _ATTRIBUTE.findall(body):
        target["test_id"] = target["test_id"] or said(value)


def _learn_nth(target: dict[str, Any], body: str) -> None:
    """Counted from one, as people do; ``last`` for the last."""
    if body.strip() == "-1":
        target["near"]["position"] = "last"
    elif body.strip().isdigit():
        target["near"]["position"] = str(int(body) + 1)


def _learn_has(target: dict[str, Any], body: str) -> None:
    """An element that stands in this one: its words are this one's. Each level doubles its quotes, which bounds the depth."""
    if body[:1] != '"':
        return
    inner = target_of(said(body))
    fill(target, "text", inner["name"] or inner["label"] or inner["text"])


def _learn_and(target: dict[str, Any], body: str) -> None:
    for part in parts(said(body)) if body[:1] == '"' else ():
        _learn(target, part)


def _learn_text(target: dict[str, Any], body: str) -> None:
    fill(target, "text", said(body))


_LEARN: Mapping[str, Any] = {
    "role": _learn_role,
    "attr": _learn_attr,
    "testid": _learn_test_id,
    "data-testid": lambda target, body: learn_attribute(target, "data-testid", body),
    "data-test": lambda target, body: learn_attribute(target, "data-test", body),
    "data-test-id": lambda target, body: learn_attribute(target, "data-test-id", body),
    "label": lambda target, body: fill(target, "label", said(body)),
    "text": _learn_text,
    "has-text": _learn_text,
    "has": _learn_has,
    "and": _learn_and,
    "nth": _learn_nth,
    "css": learn_css,
    "xpath": learn_xpath,
    "id": lambda target, body: target["attributes"].setdefault("id", body),
}


def said(body: str) -> str:
    """The words of a quoted text or of a pattern that is only words; "" for a pattern that is more."""
    body = body.strip()
    if body.startswith("/") and body.rfind("/") > 0:
        return without_icons(_plain(body[1 : body.rfind("/")]))
    if body[:1] in ('"', "'") and (end := body.rfind(body[0])) > 0:
        return without_icons(_unquoted(body[: end + 1]))
    return without_icons(body)


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text if text[0] == '"' else '"' + text[1:-1].replace('"', '\\"') + '"'))
    except ValueError:
        return text[1:-1].replace("\\" + text[0], text[0])


def _plain(pattern: str) -> str:
    bare = pattern.removeprefix("^").removesuffix("$")
    return "" if _META.search(bare) else re.sub(r"\\(.)", r"\1", bare)


def without_icons(text: str) -> str:
    bare = " ".join(_ICONS.sub(" ", text).split())
    return bare or text
