"""Target: a durable description of an element of a page, and what of it is identity.

An element is known by what a person would call it (role, name, label, text, where it stands), never by what a page makes
up at each load: generated ids, class hashes, coordinates and node numbers stay in the value, so that nothing is lost,
but never enter an identity.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Pairs = tuple[tuple[str, str], ...]

#: Attributes that carry meaning and survive a page load.
DURABLE_ATTRIBUTES = frozenset(
    {"alt", "aria-label", "autocomplete", "for", "href", "icon", "inputmode", "name", "title", "type", "value"}
)
_MADE_UP = re.compile(r"\d{3,}|[0-9a-f]{8,}|^(:r|ui-id-|ember|react-|mui-|radix-|headlessui-|__)", re.IGNORECASE)


def is_made_up(identifier: str) -> bool:
    """Whether an id or name looks generated at each load (``ui-id-2741``, ``:r3:``, a long hash)."""
    return bool(_MADE_UP.search(identifier))


@dataclass(frozen=True)
class Locator:
    """A way that the recorder gave to find the element: ``kind`` is css, xpath, aria, text, pierce, role, test_id ..."""

    kind: str
    value: str


@dataclass(frozen=True)
class Near:
    """What surrounds the element: the form, section or dialog that it stands in, its table row and column header."""

    form: str = ""
    section: str = ""
    row: str = ""
    column: str = ""
    position: str = ""


@dataclass(frozen=True)
class Target:
    """An element. All strings may be empty; ``attributes`` are sorted pairs; ``frame`` and ``shadow`` go outermost first."""

    role: str = ""
    name: str = ""
    label: str = ""
    placeholder: str = ""
    text: str = ""
    test_id: str = ""
    tag: str = ""
    attributes: Pairs = ()
    near: Near = Near()
    frame: tuple[str, ...] = ()
    shadow: tuple[str, ...] = ()
    locators: tuple[Locator, ...] = ()

    def attribute(self, name: str) -> str:
        return dict(self.attributes).get(name, "")

    def called(self) -> str:
        """What a person would call the element: the first of name, label, placeholder, text, title, icon, durable ids."""
        durable_id = self.attribute("id")
        candidates = (
            self.name,
            self.label,
            self.placeholder,
            self.text,
            self.attribute("aria-label"),
            self.attribute("title"),
            self.attribute("alt"),
            self.test_id,
            self.attribute("name"),
            self.attribute("icon"),
            "" if is_made_up(durable_id) else durable_id,
        )
        return next((" ".join(c.split()) for c in candidates if c and c.strip()), "")

    def durable(self) -> dict[str, Any]:
        """The JSON-able content that may enter an identity."""
        kept = {k: v for k, v in self.attributes if k in DURABLE_ATTRIBUTES and not is_made_up(v)}
        return target_to_json(self) | {"attributes": kept, "locators": []}


def pairs(mapping: Mapping[str, str]) -> Pairs:
    """A mapping as sorted pairs, the form that frozen values hold."""
    return tuple(sorted((str(k), str(v)) for k, v in mapping.items()))


def target_to_json(target: Target) -> dict[str, Any]:
    """The neutral form (``graphmem.trajectory/1``): every field, in order."""
    near = target.near
    return {
        "role": target.role,
        "name": target.name,
        "label": target.label,
        "placeholder": target.placeholder,
        "text": target.text,
        "test_id": target.test_id,
        "tag": target.tag,
        "attributes": dict(target.attributes),
        "near": {"form": near.form, "section": near.section, "row": near.row, "column": near.column}
        | ({"position": near.position} if near.position else {}),
        "frame": list(target.frame),
        "shadow": list(target.shadow),
        "locators": [{"kind": locator.kind, "value": locator.value} for locator in target.locators],
    }


def target_from_json(data: Mapping[str, Any]) -> Target:
    """The inverse of ``target_to_json``; keys that are missing are empty. The data must already be of the right types."""
    return Target(
        **{k: data.get(k, "") for k in ("role", "name", "label", "placeholder", "text", "test_id", "tag")},
        attributes=pairs(data.get("attributes") or {}),
        near=Near(**(data.get("near") or {})),
        frame=tuple(data.get("frame") or ()),
        shadow=tuple(data.get("shadow") or ()),
        locators=tuple(Locator(**locator) for locator in data.get("locators") or ()),
    )
