"""Cypher, one statement a file.

A file lies in ``schema/``, ``read/`` or ``write/``. Its first line is a comment that says what the statement is for, and
its second names the parameters: ``// Parameters: site, limit = 20``. Both stores run the same file word for word; where
one cannot, a sibling ``NAME.DIALECT.cypher`` stands beside it and is taken for that dialect.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

__all__ = ["Query", "load", "names"]


@dataclass(frozen=True)
class Query:
    """A named statement: ``texts`` maps a dialect (``""`` is every dialect) to Cypher, ``parameters`` a name to its
    default as text (None: it must be given)."""

    name: str
    purpose: str
    parameters: tuple[tuple[str, str | None], ...]
    texts: tuple[tuple[str, str], ...] = field(repr=False)

    def text(self, dialect: str) -> str:
        """The statement for ``dialect``; the common one where there is no sibling."""
        texts = dict(self.texts)
        return texts.get(dialect, texts[""])


def names(folder: str) -> list[str]:
    """The names (``read/stats``) of all statements in one folder, sorted."""
    entries = (entry.name for entry in files(__name__).joinpath(folder).iterdir())
    stems = {entry.split(".")[0] for entry in entries if entry.endswith(".cypher")}
    return sorted(f"{folder}/{stem}" for stem in stems)


@cache
def load(name: str) -> Query:
    """The statement ``name`` (``write/put_task``). KeyError when there is none."""
    folder, _, stem = name.partition("/")
    texts = {}
    for entry in files(__name__).joinpath(folder).iterdir():
        parts = entry.name.split(".")
        if parts[0] == stem and parts[-1] == "cypher":
            texts[parts[1] if len(parts) == 3 else ""] = entry.read_text(encoding="utf-8")
    if "" not in texts:
        raise KeyError(name)
    purpose, parameters = _head(texts[""])
    return Query(name, purpose, parameters, tuple(sorted(texts.items())))


def _head(text: str) -> tuple[str, tuple[tuple[str, str | None], ...]]:
    comments = [line[2:].strip() for line in text.splitlines() if line.startswith("//")]
    purpose = comments[0] if comments else ""
    named = next((line for line in comments if line.startswith("Parameters:")), "Parameters:")
    parameters: list[tuple[str, str | None]] = []
    for part in re.split(r",\s*", named.partition(":")[2].strip()):
        name, equals, default = part.partition("=")
        if name.strip() and name.strip() != "none":
            parameters.append((name.strip(), default.strip() if equals else None))
    return purpose, tuple(parameters)
