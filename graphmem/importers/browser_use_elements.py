"""The elements of a browser-use step: what an index meant, and what of the page was listed.

The first generation lists elements as pieces of HTML with an index (``items``) beside an XPath for each index
(``selector_map``); later ones keep, beside each action, the element that it was done on, under names that changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from graphmem.importers.html_node import nodes_of
from graphmem.importers.records import Wrong
from graphmem.model.element import TEXT, Node, Tree, sketch_of, target_of
from graphmem.model.target import Locator, pairs, target_to_json
from graphmem.model.trajectory import Page, page_to_json

_TAG = re.compile(r"/([a-z][\w-]*)(?:\[\d+\])?$", re.IGNORECASE)
_MOST_ITEMS = 2000


class Elements:
    """``state``: the state of one step, as recorded."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._items = _dicts(state.get("items"))
        self._paths = state.get("selector_map") if isinstance(state.get("selector_map"), dict) else {}
        acted = state.get("interacted_element")
        self._acted = acted if isinstance(acted, list) else [acted]

    def target(self, index: Any, position: int, parameters: Mapping[str, Any]) -> dict[str, Any] | None:
        """The element of an action in the neutral form, by what the step says of it; None where it is about none.

        ``position``: which of the step's actions; the list of elements runs beside that of actions and may hold null.
        """
        acted = self._acted[position] if position < len(self._acted) else None
        if isinstance(acted, dict):
            return _described(acted)
        path = parameters.get("xpath") or (self._paths or {}).get(str(index)) or ""
        if not isinstance(path, str):
            raise Wrong("has an element's xpath that is not text.")
        if index is None and not path:
            return None
        locators = (Locator("xpath", path),) if path else ()
        node = self._nodes.get(index) if isinstance(index, int) else None
        if node is None:
            tag = _TAG.search(path)
            node = Node(tag[1].casefold() if tag else "")
            return target_to_json(target_of(Tree(node), node, locators=locators)) if locators else _unknown(index)
        return target_to_json(target_of(self._tree, node, locators=locators))

    @cached_property
    def sketch(self) -> list[dict[str, Any]]:
        page = page_to_json(Page(sketch=sketch_of(self._tree))) if self._items else None
        return page["sketch"] if page else []

    @cached_property
    def _nodes(self) -> dict[int, Node]:
        return {
            item["index"]: node
            for item, node in zip(self._items, self._tree.root.children, strict=True)
            if isinstance(item.get("index"), int) and not item.get("is_text_only") and not node.is_text
        }

    @cached_property
    def _tree(self) -> Tree:
        """The items in a row: how they stood in each other was not kept."""
        return Tree(Node("body", children=tuple(_item(item) for item in self._items)))


def _item(item: Mapping[str, Any]) -> Node:
    text = item.get("text")
    if not isinstance(text, str) or item.get("is_text_only"):
        return Node(TEXT, text=f"{text} " if isinstance(text, str) else "")
    return next((_said_once(node) for node in nodes_of(text) if not node.is_text), Node(TEXT, text=f"{text} "))


def _said_once(node: Node) -> Node:
    """A button whose text and whose inner element's text were both recorded says the same on two lines."""
    texts = [replace(child, text="\n".join(dict.fromkeys(child.text.split("\n")))) for child in node.children]
    return replace(node, children=tuple(texts)) if all(child.is_text for child in node.children) else node


def _dicts(value: Any) -> Sequence[Mapping[str, Any]]:
    return [item for item in value[:_MOST_ITEMS] if isinstance(item, dict)] if isinstance(value, list) else []


def _described(acted: Mapping[str, Any]) -> dict[str, Any]:
    """An element as later generations keep it."""
    tag = str(acted.get("tag_name") or acted.get("node_name") or "").casefold()
    given = acted.get("attributes")
    attributes = {str(k): str(v) for k, v in given.items() if v is not None} if isinstance(given, dict) else {}
    name = acted.get("ax_name") or acted.get("text") or acted.get("node_value") or ""
    text = name if isinstance(name, str) else ""
    node = Node(tag, pairs(attributes), text, value=attributes.get("value") if tag == "input" else None)
    return target_to_json(target_of(Tree(node), node, locators=tuple(_locators(acted))))


def _locators(acted: Mapping[str, Any]) -> list[Locator]:
    ways = (("xpath", "xpath"), ("x_path", "xpath"), ("css_selector", "css"))
    return [Locator(kind, acted[key]) for key, kind in ways if isinstance(acted.get(key), str) and acted[key]]


def _unknown(index: Any) -> dict[str, Any]:
    """An element of which nothing but its index on that page load is known."""
    return {"locators": [{"kind": "browser-use-index", "value": str(index)}]}
