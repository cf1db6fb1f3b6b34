"""One HTML file out of the template, the style, the scripts and the payload.

Everything recorded is data, never markup: the payload is JSON in a data block with ``<`` written as an escape, the scripts
put it on the page through ``textContent`` alone, and the policy names each script and style by its hash, so that nothing
else could run even if it got in. The policy allows no connection, frame, form or plug-in; Trusted Types close the sinks
that turn text into markup.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

import networkx as nx

from graphmem.model.plan import Plan
from graphmem.view.payload import RECORDINGS, payload

#: Vendored script -> its licence, which travels with it into the page.
LIBRARIES: Mapping[str, str] = {
    "cytoscape.min.js": "cytoscape.LICENSE.txt",
    "dagre.min.js": "dagre.LICENSE.txt",
}

#: The page's own scripts in the order in which they build upon each other.
SCRIPTS = (
    "model.js",
    "visible.js",
    "words.js",
    "look.js",
    "layout.js",
    "lines.js",
    "canvas.js",
    "outline.js",
    "details.js",
    "overview.js",
    "plan.js",
    "search.js",
    "page.js",
)


def render(
    graph: nx.MultiDiGraph, *, title: str = "graphmem", plan: Plan | None = None, recordings: int = RECORDINGS
) -> str:
    """The graph as one self-contained HTML page, with ``plan`` laid over it.

    ``graph``: nodes by key, with ``label``, ``name`` and the properties of docs/graph.md (maps parsed or as JSON text);
    an edge's type is its ``type`` attribute, or else its key (``HAS_ACTION``, or ``HAS_ACTION:3``, or a tuple that starts
    with it). ``recordings``: at most so many of each task and subtask are in the page. Equal graphs give equal bytes.
    """
    style = _read("page", "page.css")
    scripts = _scripts()
    return Template(_read("page", "page.html")).substitute(
        policy=html.escape(_policy(style, scripts)),
        title=html.escape(title),
        style=style,
        data=_data(payload(graph, title, plan=plan, recordings=recordings)),
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def _data(content: dict[str, Any]) -> str:
    """JSON that can stand in a script element: no character of it can end the element or open a comment."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _policy(style: str, scripts: tuple[str, ...]) -> str:
    """The content security policy: these scripts and this style, nothing else."""
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(_hash(script) for script in scripts),
        "style-src": _hash(style),
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _scripts() -> tuple[str, ...]:
    libraries = (f"/*!\n{_read('vendor', licence)}*/\n{_library(name)}" for name, licence in LIBRARIES.items())
    return (*libraries, *(_read("page", name) for name in SCRIPTS))


def _library(name: str) -> str:
    """A vendored script without its last pointer to a source map, which a browser's tools would try to load."""
    lines = _read("vendor", name).rstrip().splitlines()
    return "\n".join(line for line in lines if not line.startswith("//# sourceMappingURL="))


@cache
def _read(folder: str, name: str) -> str:
    return files("graphmem.view").joinpath(folder, name).read_text(encoding="utf-8")
