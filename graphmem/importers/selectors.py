"""Selectors as targets, for every format that has them: CSS, XPath, link text, ids and names.

A selector tells how a tool found an element. Of that only what a person would say (role, name, label, text, placeholder) and
what lasts (test ids, names) describes the element; the selector itself stays a locator. A target here is a dictionary in the
neutral form. The first selector that gives a name, role or id keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from graphmem.model.secret_fields import last_part

_ATTRIBUTE = re.compile(r"\[([\w-]+)\s*[~|^$*]?=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\]]*))\]")
_ID = re.compile(r"#((?:[\w-]|[^\x00-\x7f])+)")
_TAG = re.compile(r"^[a-zA-Z][a-zA-Z0-9-]*")
_PSEUDO_TEXT = re.compile(r":(?:has-text|text|text-is|contains)\(\s*(?:\"([^\"]*)\"|'([^']*)')\s*\)")
_PARENTHESES = re.compile(r"\([^()]*\)")
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
#: Escaped signs of CSS wait here, in a private plane, until the selector has been taken apart.
_ASIDE = 0x10_0000
_HIDDEN = re.compile(f"[{chr(_ASIDE)}-{chr(_ASIDE + 0xFFFD)}]")
_XPATH_ATTRIBUTE = re.compile(r"(?<![\w(])@([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_SAYS = r"(?:text\(\)|normalize-space\((?:\.|text\(\))?\)|\.)"
_XPATH_TEXT = re.compile(
    rf"(?:contains\(\s*{_SAYS}\s*,\s*|\b{_SAYS}\s*=\s*|\[\s*{_SAYS}\s*=\s*)(?:\"([^\"]*)\"|'([^']*)')"
)
_XPATH_ID = re.compile(r"id\(\s*(?:\"([^\"]+)\"|'([^']+)')\s*\)")
_XPATH_GROUP = re.compile(r"\((?P<path>.*)\)\s*\[\d+\]", re.DOTALL)
TEST_IDS = ("data-testid", "data-test", "data-test-id", "data-cy", "data-qa")
_ROLES = {
    "a": "link", "button": "button", "select": "combobox", "textarea": "textbox", "option": "option", "tr": "row",
}  # fmt: skip
_INPUT_ROLES = {
    "checkbox": "checkbox", "radio": "radio", "button": "button", "submit": "button", "reset": "button", "image": "button",
    "search": "searchbox", "text": "textbox", "email": "textbox", "tel": "textbox", "url": "textbox", "password": "textbox",
    "number": "spinbutton", "range": "slider",
}  # fmt: skip
#: Elements whose text is that of everything in them, which says nothing about what they are called.
_CONTAINERS = frozenset({"html", "body", "select", "form", "table", "main"})
#: Role of an element that an operation was done on, where nothing else tells.
_BY_OPERATION = {"type": "textbox", "select": "combobox"}


def blank(frame: list[str] | None = None) -> dict[str, Any]:
    """A target of which nothing is known but the frames that it stands in."""
    keys = ("role", "name", "label", "placeholder", "text", "test_id", "tag")
    return dict.fromkeys(keys, "") | {"attributes": {}, "near": {}, "frame": frame or [], "shadow": [], "locators": []}


def learn(target: dict[str, Any], kind: str, value: str) -> None:
    """Add what one selector says, and the selector as a locator. ``kind``: css, xpath, link, partial_link, id, name, class."""
    if not value:
        return
    locator = {"kind": kind, "value": value}
    if locator not in target["locators"]:
        target["locators"].append(locator)
    if kind in _LEARN:
        _LEARN[kind](target, value)


def fill(target: dict[str, Any], key: str, value: str) -> None:
    """Set what is not known yet."""
    target[key] = target[key] or " ".join(value.split())


def learn_css(target: dict[str, Any], selector: str) -> None:
    selector = _ESCAPE.sub(_hide, selector)
    said = [next(filter(None, pair), "") for pair in _PSEUDO_TEXT.findall(selector)]
    own = last_part("css", _PARENTHESES.sub("", _PSEUDO_TEXT.sub("", selector)))
    for name, *values in _ATTRIBUTE.findall(own):
        learn_attribute(target, name, _show(next((v for v in values if v), "")))
    bare = _ATTRIBUTE.sub("", own)
    if match := _ID.search(bare):
        target["attributes"].setdefault("id", _show(match[1]))
    if match := _TAG.match(bare):
        target["tag"] = target["tag"] or match[0].lower()
    if said:
        fill(target, "text", _show(said[-1]))


def learn_attribute(target: dict[str, Any], name: str, value: str) -> None:
    if name in TEST_IDS:
        target["test_id"] = target["test_id"] or value
    target["attributes"].setdefault(name, value)


def learn_xpath(target: dict[str, Any], selector: str) -> None:
    path = selector.strip()
    if match := _XPATH_GROUP.fullmatch(path):
        path = match["path"]
    own = _last_step(path)
    if match := _XPATH_ID.fullmatch(own):
        target["attributes"].setdefault("id", match[1] or match[2])
        return
    tag = _TAG.match(own.rpartition("::")[2])
    if tag:
        target["tag"] = target["tag"] or tag[0].lower()
    for name, *values in _XPATH_ATTRIBUTE.findall(own):
        learn_attribute(target, name, next(filter(None, values), ""))
    if (match := _XPATH_TEXT.search(own)) and target["tag"] not in _CONTAINERS:
        fill(target, "text", match[1] or match[2] or "")


def _learn_link(target: dict[str, Any], text: str) -> None:
    target["role"] = target["role"] or "link"
    fill(target, "name", text)


def _learn_partial_link(target: dict[str, Any], text: str) -> None:
    target["role"] = target["role"] or "link"
    fill(target, "text", text)


def _learn_id(target: dict[str, Any], value: str) -> None:
    target["attributes"].setdefault("id", value)


def _learn_name(target: dict[str, Any], value: str) -> None:
    target["attributes"].setdefault("name", value)


_LEARN: Mapping[str, Callable[[dict[str, Any], str], None]] = {
    "css": learn_css,
    "xpath": learn_xpath,
    "link": _learn_link,
    "partial_link": _learn_partial_link,
    "id": _learn_id,
    "name": _learn_name,
}


def settle(target: dict[str, Any], op: str = "") -> dict[str, Any]:
    """What the selectors gave together: a role from ``role``, tag, type or operation, a name from ``aria-label``."""
    attributes = target["attributes"]
    fill(target, "role", attributes.get("role", ""))
    fill(target, "name", attributes.get("aria-label", ""))
    fill(target, "placeholder", attributes.get("placeholder", ""))
    tag = target["tag"]
    by_tag = _INPUT_ROLES.get(attributes.get("type", "").lower(), "") if tag in ("input", "") else _ROLES.get(tag, "")
    target["role"] = target["role"] or by_tag or _BY_OPERATION.get(op, "")
    return target


def _last_step(path: str) -> str:
    """What follows the last slash that stands neither in quotes nor in brackets."""
    depth, quote, at = 0, "", 0
    for place, sign in enumerate(path):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "[(":
            depth += 1
        elif sign in "])":
            depth -= 1
        elif sign == "/" and not depth:
            at = place + 1
    return path[at:]


def _hide(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else ord(match[2])
    return chr(_ASIDE + code) if code <= 0xFFFD else "\ufffd"


def _show(text: str) -> str:
    return _HIDDEN.sub(lambda m: chr(ord(m[0]) - _ASIDE), text)
