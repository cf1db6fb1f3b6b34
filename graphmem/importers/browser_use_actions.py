"""What browser-use's actions are in the neutral form. Their names differ from version to version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote_plus

from graphmem.importers.browser_use_elements import Elements

#: Where each search action goes.
_SEARCHES = {
    "google": "https://www.google.com/search?q=", "duckduckgo": "https://duckduckgo.com/?q=",
    "bing": "https://www.bing.com/search?q=",
}  # fmt: skip
#: Actions that do nothing on a page: they look, wait for a person, or keep notes.
_ASIDE = frozenset(
    {
        "switch_tab", "switch", "close_tab", "close", "get_dropdown_options", "dropdown_options", "save_pdf", "screenshot",
        "write_file", "read_file", "replace_file", "replace_file_str", "append_file", "evaluate", "get_ax_tree",
    }
)  # fmt: skip

Maker = Callable[[Mapping[str, Any], str], dict[str, Any]]


class Unknown(Exception):
    """An action whose name is not known."""


def step_of(
    name: str, parameters: Mapping[str, Any], elements: Elements, position: int, content: str
) -> dict[str, Any] | None:
    """The step that an action is; None for one that does nothing on a page. Unknown where its name is not known.

    ``position``: which of the step's actions it is; ``content``: what the page gave back.
    """
    if name in _ASIDE or not name:
        return None
    if name not in _MAKERS:
        raise Unknown(name)
    step = _MAKERS[name](parameters, content)
    index = parameters.get("index", parameters.get("element_index"))
    # ``scroll`` and others may name an element of their own; typing and clicking always do.
    target = elements.target(index, position, parameters)
    return step | ({"target": target} if target and step["op"] not in ("navigate", "wait", "answer") else {})


def _text(parameters: Mapping[str, Any], *keys: str) -> str:
    return next((str(parameters[key]) for key in keys if isinstance(parameters.get(key), str | int | float)), "")


def _search(engine: str) -> Maker:
    def make(parameters: Mapping[str, Any], content: str) -> dict[str, Any]:
        chosen = _text(parameters, "engine") or engine
        words = quote_plus(_text(parameters, "query"))
        return {"op": "navigate", "value": _SEARCHES.get(chosen, _SEARCHES[engine]) + words}

    return make


def _valued(op: str, *keys: str) -> Maker:
    return lambda parameters, content: {"op": op, "value": _text(parameters, *keys)}


def _press(key: str) -> Maker:
    return lambda parameters, content: {"op": "press", "value": key}


def _click(parameters: Mapping[str, Any], content: str) -> dict[str, Any]:
    return {"op": "dblclick" if parameters.get("num_clicks") == 2 else "click", "value": ""}


def _scroll(way: str) -> Maker:
    def make(parameters: Mapping[str, Any], content: str) -> dict[str, Any]:
        up = parameters.get("down") is False
        return {"op": "scroll", "value": "up" if up else way}

    return make


def _extract(parameters: Mapping[str, Any], content: str) -> dict[str, Any]:
    return {"op": "extract", "value": content}


_MAKERS: dict[str, Maker] = {
    "search_google": _search("google"),
    "search": _search("duckduckgo"),
    "go_to_url": _valued("navigate", "url"),
    "navigate": _valued("navigate", "url"),
    "open_tab": _valued("navigate", "url"),
    "go_back": _press("Alt+ArrowLeft"),
    "click_element": _click,
    "click_element_by_index": _click,
    "click": _click,
    "input_text": _valued("type", "text"),
    "input": _valued("type", "text"),
    "send_keys": _valued("press", "keys"),
    "select_dropdown_option": _valued("select", "text"),
    "select_dropdown": _valued("select", "text"),
    "upload_file": _valued("upload", "path"),
    "upload_file_to_element": _valued("upload", "path"),
    "scroll": _scroll("down"),
    "scroll_down": _scroll("down"),
    "scroll_up": _scroll("up"),
    "scroll_to_text": _valued("scroll", "text"),
    "find_text": _valued("scroll", "text"),
    "wait": _valued("wait", "seconds"),
    "extract_content": _extract,
    "extract_page_content": _extract,
    "extract_structured_data": _extract,
    "extract": _extract,
    "done": _valued("answer", "text"),
}
