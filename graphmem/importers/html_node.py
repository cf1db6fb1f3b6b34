"""A piece of HTML, as agents' logs quote elements of a page, as nodes of the element model."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from graphmem.model.element import TEXT, Node
from graphmem.model.target import Pairs, pairs

_VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
MOST_HTML = 1 << 20
MOST_DEPTH = 200


@dataclass
class _Open:
    tag: str
    attributes: Pairs
    children: list[Node] = field(default_factory=list)

    def node(self) -> Node:
        given = dict(self.attributes)
        states = {state for state in ("checked", "selected", "disabled") if state in given}
        value = given.get("value", "") if self.tag in ("input", "textarea", "select") else None
        return Node(self.tag, self.attributes, "", tuple(self.children), value=value, state=frozenset(states))


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [_Open("body", ())]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = _Open(tag, pairs({key: value or "" for key, value in attrs}))
        if tag in _VOID or len(self.open) >= MOST_DEPTH:
            self.open[-1].children.append(element.node())
        else:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(_Open(tag, pairs({key: value or "" for key, value in attrs})).node())

    def handle_endtag(self, tag: str) -> None:
        if tag in (element.tag for element in self.open[1:]):
            while self.shut() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if data:
            self.open[-1].children.append(Node(TEXT, text=data))

    def shut(self) -> str:
        """Close the innermost element; its tag."""
        done = self.open.pop()
        self.open[-1].children.append(done.node())
        return done.tag


def nodes_of(html: str) -> tuple[Node, ...]:
    """The elements and texts at the top of a piece of HTML; what is not closed ends with it. Never raises on content."""
    builder = _Builder()
    try:
        builder.feed(html[:MOST_HTML])
        builder.close()
    except (AssertionError, ValueError):
        pass  # a damaged declaration: what was read until then stands
    while len(builder.open) > 1:
        builder.shut()
    return tuple(builder.open[0].children)


def page_of(html: str) -> Node:
    """The pieces under one ``body``, where a whole tree is wanted."""
    return Node("body", children=nodes_of(html))
