"""Which elements a person can operate, on pages with roles and on pages without.

Many applications have almost no roles: their entries, toggles and buttons are plain ``div`` and ``span``. What gives them
away is an action hook (``data-action`` ...), a handler, a place in the tab order, or the hand-shaped cursor, of which only
the outermost element counts, since the cursor is inherited.
"""

from __future__ import annotations

from graphmem.model.element.node import Node, Tree
from graphmem.model.element.roles import CONTROLS, FIELDS, role_of

#: Attributes that say what a click does.
ACTION_HOOKS = (
    "data-action", "data-route", "data-command", "data-cmd", "data-click", "data-nav", "data-toggle", "data-handler",
    "ng-click", "@click", "v-on:click", "onclick", "jsaction",
)  # fmt: skip
#: Attributes that tests find an element by.
TEST_HOOKS = ("data-testid", "data-test", "data-test-id", "data-cy", "data-qa", "data-automation-id")


def is_control(tree: Tree, node: Node) -> bool:
    key = ("control", node)
    if key not in tree.memo:
        tree.memo[key] = node not in tree.hidden and _is_control(tree, node)
    found: bool = tree.memo[key]
    return found


def _is_control(tree: Tree, node: Node) -> bool:
    if node.is_text:
        return False
    if role_of(tree, node) in CONTROLS or any(node.get(hook) for hook in ACTION_HOOKS):
        return True
    parent = tree.parent(node)
    if node.cursor == "pointer" and node.tag != "label" and not (parent and parent.cursor == "pointer"):
        return True
    tabbed = node.get("tabindex").isdigit() or any(node.get(hook) for hook in TEST_HOOKS)
    # What merely holds controls (a scrolled region, a panel that tests look for) is none itself.
    return tabbed and not any(is_control(tree, inner) for inner in tree.inside(node))


def holds_controls(tree: Tree, node: Node) -> bool:
    return any(is_control(tree, inner) for inner in tree.inside(node))


def labelled(tree: Tree, label: Node) -> Node | None:
    """The field that a ``label`` element is tied to: by its id, else the first that it holds."""
    if label.get("for"):
        return tree.by_id.get(label.get("for"))
    return next((inner for inner in tree.inside(label) if role_of(tree, inner) in FIELDS), None)
