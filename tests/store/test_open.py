"""Which store a URL means."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from graphmem.errors import UsageError
from graphmem.store import open as opening
from graphmem.store import open_store, resolve_url
from graphmem.store.embedded import EmbeddedStore
from graphmem.store.neo4j import Neo4jStore


def test_the_store_is_the_one_named_then_ours_then_neo4js_then_the_folder_here() -> None:
    both = {"GRAPHMEM_STORE": "memory:", "NEO4J_URI": "bolt://db"}
    assert resolve_url("here", both) == "here"
    assert resolve_url(None, both) == "memory:"
    assert resolve_url("", {"NEO4J_URI": "bolt://db", "GRAPHMEM_STORE": ""}) == "bolt://db"
    assert resolve_url(None, {}) == ".graphmem"


@pytest.mark.parametrize("url", ["neo4j://h", "neo4j+s://h", "neo4j+ssc://h:1", "bolt://h", "bolt+s://h", "BOLT://h"])
def test_the_schemes_of_neo4j_are_neo4j(url: str) -> None:
    store = open_store(url, environ={})
    assert isinstance(store, Neo4jStore)
    store.close()


@pytest.mark.parametrize("url", ["memory:", ".graphmem", "a/b", "~/x", "C:\\store", "with space"])
def test_all_else_is_a_folder_that_opening_does_not_make(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store(url, environ={})
    assert isinstance(store, EmbeddedStore)
    assert store.url == url
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_a_scheme_that_nobody_knows_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"redis://.*embedded, neo4j"):
        open_store("redis://h", environ={})


def test_another_package_can_add_a_store(monkeypatch: pytest.MonkeyPatch) -> None:
    added = EntryPoint("kept", f"{__name__}:kept", "graphmem.stores")
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    monkeypatch.setattr(opening, "entry_points", lambda group: [added] if group == "graphmem.stores" else [])
    found: Any = open_store("kept://x", wait=3, environ={"A": "b"})
    assert found == ("kept://x", 3, {"A": "b"})


def kept(url: str, *, wait: float, environ: Any) -> Any:
    return url, wait, environ


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=dict(os.environ)
    )


def test_where_the_engine_has_no_wheel_the_error_names_neo4j() -> None:
    done = run(
        "import sys; sys.modules['arcadedb'] = None\n"
        "from graphmem.store import open_store\nfrom graphmem.errors import StoreUnavailable\n"
        "try:\n    open_store('memory:').read(__import__('graphmem_queries').load('schema/version'))\n"
        "except StoreUnavailable as error:\n    print(error)"
    )
    assert done.stderr == ""
    assert "no wheel" in done.stdout
    assert "neo4j://" in done.stdout


def test_opening_imports_only_the_engine_that_is_asked_for() -> None:
    done = run(
        "import sys\nfrom graphmem.store import open_store\nopen_store('memory:').close()\n"
        "assert 'neo4j' not in sys.modules and 'arcadedb' not in sys.modules\nprint('ok')"
    )
    assert (done.stdout, done.stderr) == ("ok\n", "")


def test_the_environment_is_left_as_it_was_found() -> None:
    done = run(
        "import os\nbefore = dict(os.environ)\nfrom graphmem.store import open_store\nfrom graphmem_queries import load\n"
        "store = open_store('memory:')\nstore.read(load('schema/version'))\nstore.close()\n"
        "print(sorted(set(os.environ) ^ set(before)))"
    )
    assert done.stderr == ""
    assert done.stdout in ("[]\n", "['ARCADEDB_NATIVE_LIBDIR']\n")  # the engine's own, which it may still look up
