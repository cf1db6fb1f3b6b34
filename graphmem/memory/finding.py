"""A node by its key, by the beginning of its key, or by its name; an old key or name leads to what became of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.errors import NotFound, UsageError
from graphmem.store.protocol import Store
from graphmem.store.revisions import became
from graphmem_queries import load

#: What can be looked up, from the top of the hierarchy; the tag of its keys is the label in lower case.
LABELS = ("Domain", "Site", "Task", "Subtask", "Action", "Page", "Trajectory")

#: Candidates that an error names.
SHOWN = 10
_DIGITS = re.compile("[0-9a-f]{4,32}")


@dataclass(frozen=True)
class Found:
    """A node that was looked up. ``site`` is empty where it is of none, or of several."""

    label: str
    key: str
    name: str
    site: str = ""

    def __str__(self) -> str:
        return f"{self.key}  {self.name}" + (f"  on {self.site}" if self.site else "")


def find(store: Store, wanted: str, *, labels: Sequence[str] = LABELS) -> Found:
    """The one node that ``wanted`` means. NotFound when there is none, UsageError with the candidates when several are."""
    text = wanted.strip()
    found = [node for label in labels for node in _of_label(store, label, text)] if text else []
    found = found or [node for node in _successors(store, text) if node.label in labels]
    exact = [node for node in found if node.key == text]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if not found:
        raise NotFound(wanted, hint=f"Give a key, the beginning of one, or the name of a {_either(labels)}.")
    lines = "".join(f"\n  {node}" for node in found[:SHOWN])
    more = "" if len(found) <= SHOWN else "\n  ..."
    raise UsageError(f"{wanted!r} may be any of these:{lines}{more}", hint="Give more of the key.")


def _successors(store: Store, text: str) -> list[Found]:
    """What took the place of an old key or name: the first that is there of those that each revision names, followed until
    one is."""
    asked, waiting = {text}, became(store, text) if text else []
    while waiting:
        key, *waiting = waiting
        label = next((label for label in LABELS if label.lower() == key.partition(":")[0]), "")
        if found := _of_label(store, label, key) if label else []:
            return found
        if key not in asked:
            asked.add(key)
            waiting += became(store, key)
    return []


def _of_label(store: Store, label: str, text: str) -> list[Found]:
    tag = label.lower()
    named, _, digits = text.partition(":")
    prefix = text if named == tag and digits else f"{tag}:{text}" if _DIGITS.fullmatch(text) else ""
    rows = store.read(load(f"read/find_{tag}"), prefix=prefix, name=text.lower(), limit=SHOWN + 1)
    return [Found(label, row["key"], row["name"] or "", row["site"] or "") for row in rows]


def _either(labels: Sequence[str]) -> str:
    names = ["recording" if label == "Trajectory" else label.lower() for label in labels]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
