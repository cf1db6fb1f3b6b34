"""The page in one browser window for all tests: a new page in it is quicker than a window for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from view_graphs import example
from view_page import Open, open_everything

from graphmem.view import render

WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(event.violatedDirective + " " + event.blockedURI);
});
"""


@pytest.fixture(scope="session")
def window(browser: Any) -> Iterator[Any]:
    context = browser.new_context()
    context.add_init_script(WATCH)
    yield context
    context.close()


class Opener:
    """Opens pages and, at the end, sees that nothing was asked for, refused or complained of."""

    def __init__(self, window: Any, folder: Path) -> None:
        self._window, self._folder = window, folder
        self._opened: list[tuple[Any, list[str]]] = []

    def __call__(
        self, shown: nx.MultiDiGraph | str, *, width: int = 1280, height: int = 800, scheme: str = "light"
    ) -> Any:
        file = self._folder / f"graph{len(self._opened)}.html"
        file.write_text(shown if isinstance(shown, str) else render(shown), encoding="utf-8")
        page = self._window.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        said: list[str] = []
        page.on(
            "request", lambda request: said.append(f"request {request.url}") if request.url != file.as_uri() else None
        )
        page.on("console", lambda message: said.append(f"{message.type} {message.text}"))
        page.on("pageerror", lambda error: said.append(f"error {error}"))
        page.goto(file.as_uri())
        page.wait_for_function("window.graphmemView && window.graphmemView.page")
        self._opened.append((page, said))
        return page

    def close(self) -> None:
        for page, said in self._opened:
            violations = page.evaluate("window.violations")
            page.close()
            assert said == []
            assert violations == []


@pytest.fixture
def open_page(window: Any, tmp_path: Path) -> Iterator[Open]:
    opener = Opener(window, tmp_path)
    yield opener
    opener.close()


@pytest.fixture(scope="module")
def whole(window: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page of the example with everything open, for tests that only look."""
    opener = Opener(window, tmp_path_factory.mktemp("whole"))
    page = opener(example())
    open_everything(page)
    yield page
    opener.close()
