"""What tests do on the page: find its parts, and read what the picture shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CARDS = "() => graphmemView.page.cy.nodes('.card').map((card) => card.data('node').key).filter(Boolean)"
LINES = "() => graphmemView.page.cy.edges('.relationship').map((line) => line.data('edge').type)"
MIDDLE = """([key, part]) => {
  const { cy, find } = graphmemView.page;
  cy.center(cy.$id(find(key).id));
  const box = cy.container().getBoundingClientRect();
  const at = cy.$id((part ? part + ":" : "") + find(key).id).renderedPosition();
  return [box.x + at.x, box.y + at.y];
}"""
#: Pairs of cards and "more"s that cover each other. Handles and numbers sit on the edge of their card on purpose.
OVERLAPS = """() => {
  const box = (node) => node.boundingBox({ includeLabels: false });
  const boxes = graphmemView.page.cy.nodes('.card, .more').map((node) => [node.id(), box(node)]);
  const found = [];
  for (const [one, a] of boxes) for (const [other, b] of boxes)
    if (one < other && a.x1 < b.x2 - 1 && b.x1 < a.x2 - 1 && a.y1 < b.y2 - 1 && b.y1 < a.y2 - 1) found.push([one, other]);
  return found;
}"""
#: Labels wider or higher than what they stand on.
SPILLS = """() => {
  const ruler = document.createElement('canvas').getContext('2d');
  return graphmemView.page.cy.nodes('.card').filter((card) => {
    ruler.font = `${card.style('font-weight')} ${card.style('font-size')} ${card.style('font-family')}`;
    const lines = card.data('text').split('\\n');
    return lines.some((line) => ruler.measureText(line).width > card.width() - 20) || lines.length * 15 > card.height();
  }).map((card) => card.data('text'));
}"""

Open = Callable[..., Any]


def open_everything(page: Any) -> None:
    for _ in range(12):
        page.click("#open-level")
        if page.inner_text("#status") == "Everything is open.":
            return
    raise AssertionError(page.inner_text("#status"))


def reveal(page: Any, key: str) -> None:
    page.evaluate("(key) => { graphmemView.page.reveal(graphmemView.page.find(key)); }", key)


def item(page: Any, name: str) -> Any:
    return page.locator("[role=treeitem]").filter(has=page.locator(".name", has_text=name)).first


def click_card(page: Any, key: str, part: str = "") -> None:
    """A real mouse click on the middle of the card that the canvas shows, or on its ``handle``."""
    page.mouse.click(*page.evaluate(MIDDLE, [key, part]))


def faults(page: Any) -> list[Any]:
    """What axe-core finds wrong."""
    import pytest

    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response
    assert len(found["passes"]) > 15
    return [(fault["id"], fault["impact"], fault["nodes"][0]["html"]) for fault in found["violations"]]
