"""A page sketch from simplified HTML: the elements that a person could use, in document order.

Made for Mind2Web's ``cleaned_html``, where text stands in ``<text>`` elements and attribute names were changed. The sketch is
bounded, since a page of that data set has up to two thousand nodes and a recording a page for each step.
"""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

MOST_ELEMENTS = 150
MOST_CHARACTERS = 80
MOST_HTML = 1 << 20

_ROLES = {
    "a": "link", "button": "button", "select": "combobox", "textarea": "textbox", "input": "textbox", "summary": "button",
    "label": "label",
}  # fmt: skip
_INPUTS = {"checkbox": "checkbox", "radio": "radio", "submit": "button", "button": "button", "search": "searchbox"}
_VOID = frozenset({"input", "img", "br", "hr", "meta", "link"})


class _Sketcher(HTMLParser):
    """Collects usable elements; text inside one, however deep, is its name."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[dict[str, Any]] = []
        self._open: list[tuple[str, dict[str, Any] | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = self._element(tag, {k: v or "" for k, v in attrs})
        if tag not in _VOID:
            self._open.append((tag, element))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._element(tag, {k: v or "" for k, v in attrs})

    def _element(self, tag: str, given: dict[str, str]) -> dict[str, Any] | None:
        role = given.get("role") or _INPUTS.get(given.get("type", ""), _ROLES.get(tag, ""))
        if not role or len(self.elements) >= MOST_ELEMENTS:
            return None
        name = given.get("aria_label") or given.get("alt") or given.get("title") or ""
        element = {"role": role, "name": name[:MOST_CHARACTERS], "tag": tag}
        element |= {"placeholder": given["placeholder"][:MOST_CHARACTERS]} if given.get("placeholder") else {}
        self.elements.append(element)
        return element

    def handle_endtag(self, tag: str) -> None:
        for index in range(len(self._open) - 1, -1, -1):
            if self._open[index][0] == tag:
                del self._open[index:]
                return

    def handle_data(self, data: str) -> None:
        words = " ".join(data.split())
        element = next((element for _, element in reversed(self._open) if element), None)
        if words and element and len(element["name"]) < MOST_CHARACTERS and words not in element["name"]:
            element["name"] = f"{element['name']} {words}".strip()[:MOST_CHARACTERS]


def sketch_of(html: str) -> list[dict[str, Any]]:
    """Elements in the neutral form; none for an empty or unparsable page."""
    if not html.strip():
        return []
    sketcher = _Sketcher()
    try:
        sketcher.feed(html[:MOST_HTML])
        sketcher.close()
    except (AssertionError, ValueError):
        return sketcher.elements
    return [element for element in sketcher.elements if element["name"] or element.get("placeholder")]
