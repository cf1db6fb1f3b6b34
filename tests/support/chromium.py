"""Find a real Chromium for tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium(environ: Mapping[str, str] = os.environ) -> str | None:
    """Path of a Chromium: GRAPHMEM_CHROMIUM, one on PATH, or Playwright's own. None when there is none."""
    named = environ.get("GRAPHMEM_CHROMIUM")
    if named:
        return named if Path(named).is_file() else None
    on_path = (shutil.which(name, path=environ.get("PATH")) for name in _NAMES)
    return next((path for path in on_path if path), None) or _playwrights_own()


def _playwrights_own() -> str | None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None
