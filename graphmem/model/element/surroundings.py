"""Where an element stands: its form, its section or dialog, its row and column, and its position among equals.

Form and section are always told. Row, column and position tell equal elements apart, and only then are they told: a
link that is the only one of its name is found by the name, and the words of its row, which change, would hide that.
A row is one of a table, or one of several alike that follow each other (messages, posts, results) on pages without roles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from graphmem.model.element.controls import is_control
from graphmem.model.element.labels import hook_of, icon_of, label_of, lasting_classes
from graphmem.model.element.names import name_of, text_of, tidy
from graphmem.model.element.node import Node, Tree
from graphmem.model.element.roles import role_of
from graphmem.model.target import Near, is_made_up

_NAMED_PLACES = frozenset(
    {"dialog", "alertdialog", "region", "group", "radiogroup", "tabpanel", "article", "navigation", "main",
     "complementary", "menu", "toolbar", "banner", "contentinfo", "search"}
)  # fmt: skip
_DIALOGS = frozenset({"dialog", "alertdialog"})
_CELLS = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
#: Elements that follow each other without being rows of anything.
_NO_ROWS = frozenset({"option", "tab", "menuitem", "cell", "gridcell", "columnheader", "rowheader", "heading"})
_PLACE_LENGTH = 60
_ROW_LENGTH = 120

#: What an element is called, its surroundings left out.
Calling = Callable[[Tree, Node], str]


def near_of(tree: Tree, node: Node) -> Near:
    row = row_of(tree, node)
    equals = _equals(tree, node, row)
    column = _column(tree, node, row, equals)
    if column:
        equals = [other for other in equals if _header_of(tree, other) == column]
    return Near(
        form=_form(tree, node),
        section=_section(tree, node),
        row=_row_text(tree, node, row) if row else "",
        column=column,
        position=str(equals.index(node) + 1) if len(equals) > 1 else "",
    )


def calling(tree: Tree, node: Node) -> str:
    """What tells an element from others by itself: name, label, text, icon, or an id that lasts."""
    key = ("calling", node)
    if key not in tree.memo:
        given = (name_of(tree, node), label_of(tree, node), text_of(tree, node), node.get("title"))
        tree.memo[key] = next(filter(None, given), "") or hook_of(node) or icon_of(tree, node) or _lasting_id(node)
    found: str = tree.memo[key]
    return found


def _lasting_id(node: Node) -> str:
    return next((name for name in (node.get("name"), node.get("id")) if name and not is_made_up(name)), "")


def _kind(tree: Tree, node: Node) -> tuple[str, ...]:
    return (role_of(tree, node), node.tag, calling(tree, node)[:_ROW_LENGTH])


def _equals(tree: Tree, node: Node, row: Node | None) -> list[Node]:
    """The elements of the row, else of the page, that are called the same; the element among them."""
    # A plain ``div`` that only holds others, or has no name, has countless equals: its place among them says nothing.
    if not is_control(tree, node) and (not calling(tree, node) or not _is_leaf(node)):
        return [node]
    kind = _kind(tree, node)
    place = tree.inside(row) if row else tree.nodes
    return [n for n in place if n.tag == node.tag and n not in tree.hidden and _kind(tree, n) == kind]


def _is_leaf(node: Node) -> bool:
    return all(child.is_text for child in node.children)


# -- rows and columns ------------------------------------------------------------------------------------------------


def row_of(tree: Tree, node: Node) -> Node | None:
    """The row that tells the element from its equals in other rows; None where there are none."""
    for outer in tree.ancestors(node):
        role = role_of(tree, outer)
        others = [other for other in tree.siblings(outer) if other is not outer and _alike(tree, outer, other)]
        if role == "row" and not others:
            others = _rows_around(tree, outer)
        if role in _NO_ROWS or not (role == "row" or others):
            continue
        if _row_text(tree, node, outer) and _has_equal(tree, node, others):
            return outer
    return None


def _rows_around(tree: Tree, row: Node) -> list[Node]:
    table = next((o for o in tree.ancestors(row) if role_of(tree, o) in ("table", "grid", "treegrid")), None)
    return [n for n in tree.inside(table) if n is not row and role_of(tree, n) == "row"] if table else []


def _alike(tree: Tree, one: Node, other: Node) -> bool:
    """Whether two siblings are records of one list: the same tag and role, and lasting classes in common."""
    if one.tag != other.tag or one.is_text or role_of(tree, one) != role_of(tree, other):
        return False
    mine, theirs = set(lasting_classes(one)), set(lasting_classes(other))
    return bool(mine & theirs) if mine or theirs else True


def _has_equal(tree: Tree, node: Node, rows: Sequence[Node]) -> bool:
    kind = _kind(tree, node)
    if not kind[2] and not is_control(tree, node):
        return False
    return any(inner.tag == node.tag and _kind(tree, inner) == kind for row in rows for inner in tree.inside(row))


def _row_text(tree: Tree, node: Node, row: Node) -> str:
    """The row's header cell where it has one, else its text without the element's own."""
    heads = (inner for inner in tree.inside(row) if role_of(tree, inner) == "rowheader" and inner is not node)
    head = next((text for head in heads if (text := text_of(tree, head))), "")
    own = calling(tree, node)
    others = head or " ".join(text for text in _texts(tree, row, node) if text != own)
    return tidy(others)[:_ROW_LENGTH].rstrip()


def _texts(tree: Tree, row: Node, node: Node) -> Iterator[str]:
    """The texts of a row, in order, without those of the element itself."""
    for inner in (row, *tree.inside(row)):
        if inner not in tree.hidden and not tree.holds(node, inner) and inner.tag != "option":
            yield tidy(inner.text)


def _column(tree: Tree, node: Node, row: Node | None, equals: Sequence[Node]) -> str:
    """The header above the element's cell, where equals stand in other columns or nothing else names the element."""
    named = bool(name_of(tree, node) or label_of(tree, node) or text_of(tree, node))
    if len(equals) < 2 and named:
        return ""
    header = _header_of(tree, node)
    told = any(_header_of(tree, other) != header for other in equals if other is not node)
    return header if told or not named else ""


def _header_of(tree: Tree, node: Node) -> str:
    cell = next((o for o in (node, *tree.ancestors(node)) if role_of(tree, o) in _CELLS), None)
    row = next((o for o in tree.ancestors(cell) if role_of(tree, o) == "row"), None) if cell else None
    if cell is None or row is None:
        return ""
    column = _place_in_row(tree, row, cell)
    for other in _rows_around(tree, row):
        for header in tree.inside(other):
            if role_of(tree, header) == "columnheader" and _place_in_row(tree, other, header) == column:
                return text_of(tree, header)[:_PLACE_LENGTH]
    return ""


def _place_in_row(tree: Tree, row: Node, cell: Node) -> int:
    """The column that a cell begins in, with the cells before it as wide as they say."""
    place = 0
    for inner in tree.inside(row):
        if inner is cell:
            break
        if role_of(tree, inner) in _CELLS:
            span = inner.get("colspan")
            place += int(span) if span.isdigit() and 0 < int(span) <= 1000 else 1
    return place


# -- form and section ------------------------------------------------------------------------------------------------


def _form(tree: Tree, node: Node) -> str:
    form = next((o for o in tree.ancestors(node) if role_of(tree, o) in ("form", "search")), None)
    if form is None:
        return ""
    return (name_of(tree, form) or _first_heading(tree, form) or _lasting_id(form))[:_PLACE_LENGTH]


def _section(tree: Tree, node: Node) -> str:
    """The dialog, named region or heading that the element belongs to, the nearest first."""
    here = node
    for outer in tree.ancestors(node):
        if heading := _heading_before(tree, here):
            return heading
        role = role_of(tree, outer)
        if role in _NAMED_PLACES and (name := name_of(tree, outer)):
            return name[:_PLACE_LENGTH]
        if role in _DIALOGS:
            return _first_heading(tree, outer)
        here = outer
    return ""


def _heading_before(tree: Tree, node: Node) -> str:
    if role_of(tree, node) == "heading":
        return ""
    for sibling in tree.before(node):
        for inner in reversed((sibling, *tree.inside(sibling))):
            if role_of(tree, inner) == "heading" and inner not in tree.hidden:
                return text_of(tree, inner)[:_PLACE_LENGTH]
    return ""


def _first_heading(tree: Tree, place: Node) -> str:
    headings = (inner for inner in tree.inside(place) if role_of(tree, inner) == "heading" or inner.tag == "legend")
    return next((text for h in headings if (text := text_of(tree, h))), "")[:_PLACE_LENGTH]
