"""From a record in the neutral form to a trajectory: the last step of every importer that reads another tool's files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import urljoin

from graphmem.importers.places import with_sites
from graphmem.importers.records import Wrong, inside
from graphmem.importers.schema import faults
from graphmem.model.secret_text import looks_made_up
from graphmem.model.secrets import mask, mask_text
from graphmem.model.trajectory import Trajectory, trajectory_from_json, with_run_id

#: More steps than any person records; a file of loops in loops must not fill the memory.
MOST_STEPS = 5_000
_NAME = re.compile(r"[A-Za-z_$][A-Za-z_$ -]{0,39}")
_BETWEEN_WORDS = re.compile(r"[_-]+|(?<=[a-z0-9])(?=[A-Z])")


class WrongStep(Exception):
    """A step that is not understood: where it stands (``step 3``, ``line 12``) and why. Neither quotes a value."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(reason)
        self.place = place
        self.reason = reason


def made(record: dict[str, Any], raw: Any) -> Trajectory:
    """The value of ``record``, which is masked in place; ``raw`` is what it was read from and gives the run id.

    Wrong when there is nothing in it, or a value is of a type that the neutral form does not hold.
    """
    if not record["steps"]:
        raise Wrong("has no steps that do anything.")
    _align(record["steps"])
    if found := faults(record):
        raise Wrong(inside(*(f"{place} {reason}".strip() for place, reason in found)))
    vault = mask(record)
    return with_run_id(trajectory_from_json(with_sites(record)), vault.scrub(raw))


def _align(steps: list[dict[str, Any]]) -> None:
    """A click or press next to typing or choosing, found in the same way, is on the same field: both get what is known."""
    for before, step in pairwise(steps):
        one, other = before.get("target"), step.get("target")
        if not one or not other or before.get("tab") != step.get("tab") or one["frame"] != other["frame"]:
            continue
        entered = [target for target, act in ((one, before), (other, step)) if act["op"] in ("type", "select")]
        if len(entered) == 1 and one["locators"][:1] == other["locators"][:1]:
            richer = max((one, other), key=lambda target: len(target["locators"]))
            before["target"] = step["target"] = richer | {"role": entered[0]["role"] or richer["role"]}


def text_at(mapping: Mapping[str, Any], key: str) -> str:
    """The text under a key; "" where there is none. Wrong when it is something else."""
    value = mapping.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Wrong(f"{key!r} must be text.")
    return value


def absolute(base: str, url: str) -> str:
    """An address that may be relative to ``base``. Wrong when either is none."""
    try:
        return urljoin(base, url)
    except ValueError:
        raise Wrong("opens an address that is none.") from None


def quoted(name: str) -> str:
    """A name that the file gives to a kind of step, for a reason: told only where it is one, since it may be anything."""
    is_name = _NAME.fullmatch(name) and mask_text(name) == name and not looks_made_up(name)
    return repr(name) if is_name else "what the file names there"


def called(name: str) -> str:
    """A name as a program writes it (``userName``, ``std.name``, ``BASE_URL``) as that of a slot: ``user_name``."""
    spaced = "".join(f"_{c}" if c.isupper() and i and name[i - 1].islower() else c for i, c in enumerate(name))
    kept = "".join(c if c.isascii() and c.isalnum() else "_" for c in spaced.lower())
    bare = "_".join(part for part in kept.split("_") if part)
    return bare if bare[:1].isalpha() else f"value_{bare}".rstrip("_")


def in_words(name: str) -> str:
    """``test_logIn-page`` as ``test log in page``; a name that has spaces is in words already."""
    name = name.strip()
    return " ".join(_BETWEEN_WORDS.sub(" ", name).split()).lower() if " " not in name else " ".join(name.split())
