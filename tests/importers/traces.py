"""Traces as tests need them: a zip of events, as Playwright writes it."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

PAGE = "page@a1"


def context(version: int = 8, **rest: Any) -> dict[str, Any]:
    options = {
        "viewport": {"width": 1280, "height": 720},
        "httpCredentials": {"username": "ada", "password": "Zx9-quokka!"},
    }
    return {"type": "context-options", "version": version, "options": options, "wallTime": 1768969773870} | rest


def call(number: int, method: str, params: dict[str, Any], kind: str = "Frame", **rest: Any) -> list[dict[str, Any]]:
    """A call as its ``before`` and ``after``. ``error``, ``urls`` (before and after) and ``log`` are optional."""
    called = f"call@{number}"
    page = rest.get("page", PAGE)
    events: list[dict[str, Any]] = [
        {"type": "before", "callId": called, "class": kind, "method": method, "params": params, "pageId": page,
         "apiName": f"locator.{method}", "startTime": number},
    ]  # fmt: skip
    before, after = rest.get("urls", ("", ""))
    events += [snapshot(f"before@{called}", before, page)] if before else []
    events += [{"type": "log", "callId": called, "message": rest["log"]}] if "log" in rest else []
    events += [
        {"type": "after", "callId": called, "endTime": number} | ({"error": rest["error"]} if "error" in rest else {})
    ]
    return events + ([snapshot(f"after@{called}", after, page)] if after else [])


def snapshot(name: str, url: str, page: str = PAGE) -> dict[str, Any]:
    shot = {"snapshotName": name, "pageId": page, "frameUrl": url, "isMainFrame": True, "html": ["HTML", {}]}
    return {"type": "frame-snapshot", "snapshot": shot}


def lines(*events: dict[str, Any]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def trace(folder: Path, *events: dict[str, Any], name: str = "log-in.zip", **members: str) -> Path:
    """A trace of these events; ``members`` are further files of it, ``__`` in a name for a dot."""
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        if events:
            archive.writestr("trace.trace", lines(*events))
        for member, text in members.items():
            archive.writestr(member.replace("__", "."), text)
    return path
