"""Roles: what HTML says an element is where its author said nothing (HTML Accessibility API Mappings 1.0, section 3).

Where the mapping gives fields no role of their own (password, date, time), they are text fields here, as they are typed
into. A link is one with or without an address: on many pages the address is a script.
"""

from __future__ import annotations

from graphmem.model.element.node import Node, Tree

_PLAIN = {
    "a": "link", "area": "link", "article": "article", "aside": "complementary", "button": "button",
    "datalist": "listbox", "details": "group", "dialog": "dialog", "fieldset": "group", "figure": "figure", "form": "form",
    "h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "h5": "heading", "h6": "heading",
    "hr": "separator", "img": "img", "li": "listitem", "main": "main", "menu": "list", "meter": "meter",
    "nav": "navigation", "ol": "list", "optgroup": "group", "option": "option", "output": "status",
    "progress": "progressbar", "search": "search", "summary": "button", "svg": "img", "table": "table", "tbody": "rowgroup",
    "tfoot": "rowgroup", "thead": "rowgroup", "textarea": "textbox", "tr": "row", "ul": "list",
}  # fmt: skip
_INPUTS = {
    "button": "button", "checkbox": "checkbox", "color": "button", "file": "button", "hidden": "", "image": "button",
    "number": "spinbutton", "radio": "radio", "range": "slider", "reset": "button", "search": "searchbox",
    "submit": "button",
}  # fmt: skip
_ROLES = """
alert alertdialog application article banner button cell checkbox columnheader combobox complementary contentinfo dialog
document feed figure form grid gridcell group heading img link list listbox listitem log main marquee math menu menubar
menuitem menuitemcheckbox menuitemradio meter navigation none note option presentation progressbar radio radiogroup region
row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status switch tab table tablist tabpanel
term textbox timer toolbar tooltip tree treegrid treeitem
"""
ROLES = frozenset(_ROLES.split())

#: Fields that a person fills in or chooses from.
FIELDS = frozenset(
    {"textbox", "searchbox", "combobox", "spinbutton", "slider", "checkbox", "radio", "switch", "listbox"}
)
#: Fields that take text.
TYPED = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})
#: What a person operates.
CONTROLS = FIELDS | {
    "link", "button", "option", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "scrollbar",
}  # fmt: skip


def role_of(tree: Tree, node: Node) -> str:
    """The role of a node, "" for one that has none (a generic ``div`` or ``span``)."""
    key = ("role", node)
    if key not in tree.memo:
        tree.memo[key] = _role(tree, node)
    found: str = tree.memo[key]
    return found


def _role(tree: Tree, node: Node) -> str:
    if node.is_text:
        return ""
    given = next((word for word in node.get("role").casefold().split() if word in ROLES), "")
    if given in ("none", "presentation"):
        # The standard's conflict rule: what can be focused stays what it is.
        return _native(tree, node) if _focusable(node) else ""
    return given or _native(tree, node)


def _focusable(node: Node) -> bool:
    return node.tag in ("a", "button", "input", "select", "textarea", "summary") or node.has("tabindex")


def _native(tree: Tree, node: Node) -> str:
    tag = node.tag
    if tag == "input":
        kind = node.get("type").casefold()
        role = _INPUTS.get(kind, "textbox")
        return "combobox" if node.get("list") and role in ("textbox", "searchbox") else role
    if tag == "select":
        many = node.has("multiple") or (node.get("size").isdigit() and int(node.get("size")) > 1)
        return "listbox" if many else "combobox"
    if tag in ("td", "th"):
        return _cell(tree, node)
    if tag == "section":
        return "region" if node.get("aria-label") or node.get("aria-labelledby") else ""
    if tag == "img" and node.has("alt") and not node.get("alt"):
        return ""
    editable = node.has("contenteditable") and node.get("contenteditable").casefold() != "false"
    return _PLAIN.get(tag, "textbox" if editable else "")


def _cell(tree: Tree, node: Node) -> str:
    if node.tag == "th":
        return "rowheader" if _heads_row(tree, node) else "columnheader"
    holders = (role_of(tree, outer) for outer in tree.ancestors(node) if outer.tag == "table")
    return "gridcell" if next(holders, "") in ("grid", "treegrid") else "cell"


def _heads_row(tree: Tree, node: Node) -> bool:
    """A header cell heads its row where it says so, or where it comes first among cells that are none."""
    if scope := node.get("scope").casefold():
        return scope in ("row", "rowgroup")
    others = [sibling.tag for sibling in tree.siblings(node) if sibling is not node]
    return "td" in others and not any(sibling.tag == "td" for sibling in tree.before(node))
