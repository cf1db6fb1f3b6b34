"""What ``graphmem doctor`` looks at. Each check is one function that says what it found and never raises.

Keys and passwords are told as there or not there, never shown.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, entry_points, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from graphmem.errors import GraphmemError
from graphmem_queries import load

BROWSERS = (
    "chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "google-chrome-stable", "chrome",
)  # fmt: skip


@dataclass(frozen=True)
class Check:
    """One thing: whether it is ``ok``, whether anything is wrong while it is not (``needed``), and the line that helps."""

    what: str
    ok: bool
    detail: str
    fix: str = ""
    needed: bool = False

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def diagnose(url: str | None, wait: float) -> Iterator[Check]:
    """Every check, one after the other: ``url`` and ``wait`` are about the store, as everywhere."""
    from graphmem.store.open import resolve_url

    server = "://" in resolve_url(url)
    yield Check("graphmem", True, f"{_version('graphmem')} on Python {sys.version.split()[0]}")
    yield _engine(needed=not server)
    yield _package("Neo4j driver", "neo4j", "pip install neo4j", needed=server)
    yield _store(url, wait)
    yield from _browser()
    yield _package("meaning of words (fastembed)", "fastembed", "pip install 'graphmem[semantic]'")
    yield from _models()
    yield _package("language models (openai)", "openai", "pip install 'graphmem[llm]'")
    yield _key("OPENAI_API_KEY")
    yield from _plugins()


def _engine(*, needed: bool) -> Check:
    fix = "pip install graphmem again; where ArcadeDB has no wheel (Intel Macs) use --store neo4j://HOST"
    return _package("embedded engine (ArcadeDB)", "arcadedb", fix, needed=needed)


def _package(what: str, name: str, fix: str, *, needed: bool = False) -> Check:
    if find_spec(name) is None:
        return Check(what, False, "is not installed.", fix, needed)
    return Check(what, True, _version(name), needed=needed)


def _store(url: str | None, wait: float) -> Check:
    from graphmem.memory import Memory
    from graphmem.store import derived

    try:
        with Memory.open(url, wait=wait) as memory:
            counts = memory.stats()
            settings = derived.settings(memory.store)
            schema = [f"schema {row['schema']}" for row in memory.store.read(load("schema/version"))]
            shown = f"{memory.store.url}: {counts['trajectories']} recordings, {counts['sites']} sites"
    except GraphmemError as error:
        return Check("store", False, error.message, error.hint, needed=True)
    except Exception as error:
        return Check("store", False, f"{type(error).__name__} while opening it.", "Run doctor --debug.", needed=True)
    chosen = [f"{name} {settings[name]}" for name in ("inducer", "embedder") if settings.get(name)]
    return Check("store", True, ", ".join([shown, *schema, *chosen]), needed=True)


def _browser() -> Iterator[Check]:
    fix = "pip install 'graphmem[browser]' && playwright install chromium"
    yield (found := _package("browser control (Playwright)", "playwright", fix))
    path = next((place for name in BROWSERS if (place := shutil.which(name))), "")
    if found.ok and not path:
        path = _quietly(_playwright_browser)
    yield Check(
        "browser (Chromium)", bool(path), path or "was not found.", "" if path else "playwright install chromium"
    )


def _playwright_browser() -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else ""


def _models() -> Iterator[Check]:
    """The sentence model on this disk, and what compares texts as things are."""
    from graphmem_agents.embed import choose_embedder
    from graphmem_agents.model_folder import INSTALL, offline_model

    folder = _quietly(lambda: str(offline_model() or ""))
    fix = "" if folder else f"{INSTALL}, or GRAPHMEM_EMBEDDER=fastembed:FOLDER"
    yield Check("sentence model", bool(folder), folder or "there is no folder of one.", fix)
    try:
        yield Check("embedder", True, choose_embedder().name, needed=True)
    except GraphmemError as error:
        yield Check("embedder", False, error.message, error.hint, needed=True)


def _key(name: str) -> Check:
    there = bool(os.environ.get(name))
    return Check(name, there, "is set." if there else "is not set.", "" if there else f"export {name}=...")


def _plugins() -> Iterator[Check]:
    for kind in ("stores", "importers", "exporters", "inducers", "embedders"):
        found = sorted(point.name for point in entry_points(group=f"graphmem.{kind}"))
        fix = "" if found else "Install graphmem again: pip install --force-reinstall graphmem"
        yield Check(kind, bool(found), ", ".join(found) or "none are registered.", fix, needed=True)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(version not known)"


def _quietly(look: Callable[[], str]) -> str:
    try:
        return look()
    except Exception:
        return ""
