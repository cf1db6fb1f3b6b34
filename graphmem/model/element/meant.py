"""Which element an event was meant for: people and recorders hit the word in a button, the label of a box, the icon beside
a text."""

from __future__ import annotations

from graphmem.model.element.controls import holds_controls, is_control, labelled
from graphmem.model.element.labels import icon_of
from graphmem.model.element.names import text_of
from graphmem.model.element.node import Node, Tree

#: A longer text is more than the caption of an icon.
_CAPTION_LENGTH = 40


def control_of(tree: Tree, node: Node) -> Node:
    """The control that an event on ``node`` is meant for: itself, the nearest control around it, or the field of a label.

    Outside any control an icon and its caption are one thing; anything else is answered as it is (text by what holds it):
    people click on plain things too.
    """
    here = tree.parent(node) or node if node.is_text else node
    for outer in (here, *tree.ancestors(here)):
        if is_control(tree, outer):
            return outer
        if outer.tag == "label" and (field := labelled(tree, outer)):
            return field
    parent = tree.parent(here)
    return parent if parent and _is_captioned_icon(tree, parent) else here


def _is_captioned_icon(tree: Tree, node: Node) -> bool:
    """One short text beside elements that are empty and have no name of their own, and nothing else."""
    said = [child for child in node.children if text_of(tree, child)]
    drawn = [child for child in node.children if not text_of(tree, child) and not child.is_text]
    if len(said) != 1 or not drawn or len(text_of(tree, node)) > _CAPTION_LENGTH or holds_controls(tree, node):
        return False
    return all(not child.children and not icon_of(tree, child) and not child.get("id") for child in drawn)
