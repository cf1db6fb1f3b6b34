"""Photograph a page that ``graphmem view`` wrote: ``python docs/make_picture.py graph.html [docs/view.png]``.

Opens it in a real Chromium, chooses a routine that others share, and waits until all of it is drawn. Needs the
package ``playwright`` and a Chromium (``--browser PATH``, else one on PATH, else Playwright's own).
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

#: Chooses a shared subtask of one site: with many parents, control steps around it, and not too much else on the page.
CHOOSE = """() => {
  const view = graphmemView;
  const { model, state, cy, reveal } = view.page;
  const show = (node) => { state.open.clear(); view.reveal(node, state); state.open.add(node); };
  const weight = (node) => {
    show(node);
    const nodes = view.visible(model, state).nodes;
    const controls = nodes.filter(view.isControl).length;
    return nodes.length > 32 ? -nodes.length : 3 * node.parents.length + 3 * Math.min(controls, 2) + nodes.length / 8;
  };
  const shared = model.nodes.filter((node) => node.label === "Subtask" && !node.properties.general && !view.isControl(node))
    .map((node) => ({ node, weight: weight(node) })).sort((a, b) => b.weight - a.weight || a.node.place - b.node.place);
  if (!shared.length) return;
  show(shared[0].node);
  reveal(shared[0].node);
  view.showAll(cy);
}"""


def picture(page: Path, png: Path, *, browser: str | None = None, dark: bool = False, choose: str = CHOOSE) -> Path:
    """Write ``png`` (1440 x 900 CSS pixels, one and a half device pixels each) of the HTML file ``page``."""
    from playwright.sync_api import sync_playwright

    found = browser or next((path for path in map(shutil.which, NAMES) if path), None)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        opened = chromium.new_page(
            viewport={"width": 1440, "height": 900},
            device_scale_factor=1.5,
            color_scheme="dark" if dark else "light",
        )
        opened.goto(page.resolve().as_uri())
        opened.wait_for_function("window.graphmemView && window.graphmemView.page")
        opened.evaluate(choose)
        opened.wait_for_timeout(1000)  # the picture is drawn coarse at first and refined when nothing else is to do
        opened.screenshot(path=str(png))
        chromium.close()
    return png


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("png", type=Path, nargs="?", default=Path(__file__).parent / "view.png")
    parser.add_argument("--browser")
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    print(picture(given.page, given.png, browser=given.browser, dark=given.dark))


if __name__ == "__main__":
    main()
