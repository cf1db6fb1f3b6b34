"""The Recorder's selectors as a target: what an element is called, and every way that was recorded to find it.

``selectors`` is a list of alternatives. An alternative is a list of strings, a path through shadow roots with the
outermost host first, or, in older files, one string. A string has a prefix (``aria/``, ``xpath/``, ``pierce/``,
``text/``) or is CSS. An ARIA string may end in ``[role="button"]``. Of these only what a person would say is identity;
ids that look generated and positions stay locators.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graphmem.importers.records import Wrong
from graphmem.importers.selectors import learn_css

_PREFIX = re.compile(r"(aria|xpath|pierce|text|css)/", re.DOTALL)
_ROLE = re.compile(r"\[role=\\?[\"'](?P<role>[\w-]+)\\?[\"']\]\s*$")
_NAME = re.compile(r"\[name=\\?[\"'](?P<name>.*?)\\?[\"']\]\s*$")
_XPATH_ID = re.compile(r"@id=[\"']([^\"']+)[\"']\]$")
_ROLES = {"a": "link", "button": "button", "select": "combobox", "textarea": "textbox", "option": "option"}

Group = tuple[str, ...]


def target_of(step: Mapping[str, Any]) -> dict[str, Any] | None:
    """The target (neutral form) of a recorded step; None when it has no selectors. Wrong when they have another form."""
    groups = _groups(step.get("selectors"))
    frame = step.get("frame") or []
    if not isinstance(frame, list) or not all(isinstance(i, int) and not isinstance(i, bool) for i in frame):
        raise Wrong("'frame' must be a list of whole numbers.")
    if not groups:
        return None
    target: dict[str, Any] = {"role": "", "name": "", "text": "", "test_id": "", "tag": "", "attributes": {}}
    target |= {"frame": [str(i) for i in frame], "shadow": [], "locators": []}
    for group in groups:
        _learn(target, group)
    target["role"] = target["role"] or _ROLES.get(target["tag"], "")
    return target


def _groups(selectors: Any) -> list[Group]:
    if selectors is None:
        return []
    groups = [(s,) if isinstance(s, str) else s for s in (selectors if isinstance(selectors, list) else [selectors])]
    if not all(isinstance(group, list | tuple) and all(isinstance(s, str) for s in group) for group in groups):
        raise Wrong("'selectors' must be text, or lists of text.")
    return [tuple(group) for group in groups if group]


def _learn(target: dict[str, Any], group: Group) -> None:
    """Add what one alternative says. The first alternative that gives a name, role or id keeps it."""
    kinds = [_split(selector) for selector in group]
    kind = kinds[-1][0]
    if kind == "aria":
        _learn_aria(target, [value for _, value in kinds])
        target["locators"].append({"kind": "aria", "value": " >>> ".join(value for _, value in kinds)})
        return
    if len(kinds) > 1 and not target["shadow"]:
        target["shadow"] = [value for _, value in kinds[:-1]]
    value = kinds[-1][1]
    target["locators"].append({"kind": kind, "value": value})
    if kind == "text":
        target["text"] = target["text"] or value
    elif kind == "xpath":
        match = _XPATH_ID.search(value)
        if match:
            target["attributes"].setdefault("id", match[1])
    else:
        learn_css(target, value)


def _split(selector: str) -> tuple[str, str]:
    match = _PREFIX.match(selector)
    return (match[1], selector[match.end() :]) if match else ("css", selector)


def _learn_aria(target: dict[str, Any], path: list[str]) -> None:
    """``Search[role="textbox"]``, or a path whose last part may have a role and no name: then the nearest name counts."""
    for value in reversed(path):
        match = _ROLE.search(value)
        name = _NAME.sub(lambda m: m["name"], value[: match.start()] if match else value).strip()
        role = match["role"] if match else ""
        if not target["role"] and role not in ("", "generic", "none", "presentation"):
            target["role"] = role
        target["name"] = target["name"] or name
        if target["name"]:
            return
