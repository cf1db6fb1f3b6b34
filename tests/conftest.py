"""Fixtures that every part uses: a store of each kind, the URLs of both, and a real browser.

``store`` runs a test on both stores word for word. Neo4j is one real server for the whole run, wiped for each test that
uses it. Where it or Chromium is missing, tests are skipped with a line that says what to install; with CI=true a skip
is a failure.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from support import neo4j_server
from support.chromium import find_chromium

from graphmem.store import Store, open_store


def missing(what: str) -> None:
    """Skip, loudly; where CI=true, fail instead."""
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"{what} (with CI=true a skip is a failure)", pytrace=False)
    pytest.skip(what)


@pytest.fixture(scope="session")
def _neo4j() -> Iterator[neo4j_server.Server | str]:
    try:
        server = neo4j_server.start()
    except neo4j_server.Missing as lack:
        yield str(lack)
        return
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def neo4j_service(_neo4j: neo4j_server.Server | str) -> neo4j_server.Server:
    """The running Neo4j, its database empty: no nodes, though the schema of an earlier test may be there."""
    if isinstance(_neo4j, str):
        missing(_neo4j)
    assert isinstance(_neo4j, neo4j_server.Server)
    _neo4j.wipe()
    return _neo4j


@pytest.fixture
def neo4j_url(neo4j_service: neo4j_server.Server) -> str:
    """URL of an empty Neo4j database. ``open_store(neo4j_url, environ={})`` opens it."""
    return neo4j_service.url


@pytest.fixture
def embedded_url(tmp_path: Path) -> str:
    """A folder for an embedded store; it does not exist yet."""
    return str(tmp_path / "store")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where tests run in several processes, those that need the one Neo4j run in one of them, and those of the browser."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if fixtures & {"_neo4j"} and (item.get_closest_marker("neo4j") or not fixtures & {"opener", "store"}):
            item.add_marker(pytest.mark.xdist_group("neo4j"))
        elif "browser" in fixtures:
            item.add_marker(pytest.mark.xdist_group("browser"))


KINDS = ["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)]


@pytest.fixture(params=KINDS)
def opener(request: pytest.FixtureRequest) -> Iterator[Callable[[], Store]]:
    """A function that opens the same store again and again, empty at first: a folder, or the Neo4j database."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    environ = _environ(request, request.param)
    opened: list[Store] = []

    def open_again(**options: Any) -> Store:
        opened.append(open_store(url, environ=environ, **options))
        return opened[-1]

    yield open_again
    for store in opened:
        store.close()


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store of each kind: the embedded one as ``memory:``."""
    url = "memory:" if request.param == "embedded" else request.getfixturevalue("neo4j_url")
    opened = open_store(url, environ=_environ(request, request.param))
    yield opened
    opened.close()


def _environ(request: pytest.FixtureRequest, kind: str) -> dict[str, str]:
    if kind == "embedded":
        return {}
    server: neo4j_server.Server = request.getfixturevalue("neo4j_service")
    return server.environ()


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of a real Chromium."""
    path = find_chromium()
    if path is None:
        missing("no Chromium: apt-get install chromium-headless-shell, or name one in GRAPHMEM_CHROMIUM")
    assert path is not None
    return path


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Any]:
    """A Playwright browser on a real, headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium_path, headless=True, args=["--no-sandbox"])
        try:
            yield running
        finally:
            running.close()
