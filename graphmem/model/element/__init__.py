"""One description of a page and of an element, whatever they were read from.

A source gives ``Node`` values (a recorded state, a parsed fragment, a live page); ``Tree`` is the page; ``target_of`` and
``sketch_of`` say what a person would: role and accessible name by the standards (HTML-AAM, accname 1.2), a label also
where it is not tied to its field, text, title, as a last resort the icon's class, and where the element stands. Pages
without roles count as much as pages with them (``controls``). Nothing here knows a browser or a file format.
"""

from graphmem.model.element.controls import is_control
from graphmem.model.element.description import place_of, sketch_of, target_of, told_nodes
from graphmem.model.element.meant import control_of
from graphmem.model.element.node import TEXT, Box, Node, Tree
from graphmem.model.element.roles import FIELDS, TYPED, role_of

__all__ = [
    "FIELDS", "TEXT", "TYPED", "Box", "Node", "Tree", "control_of", "is_control", "place_of", "role_of",
    "sketch_of", "target_of", "told_nodes",
]  # fmt: skip
