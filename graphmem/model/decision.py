"""Decision: what a person (or a model that a person asked) laid down about the derived graph.

A derived node's key follows its content, so a decision cannot hold on to it. It names what it is about by recorded steps,
which never change: a ``Subject`` is a node as the spans of steps that it stood for when the decision was made. Induction
finds the node that most of these steps belong to now, whatever it is called by then; a subject whose steps are gone makes
the decision dormant, not wrong.

    keep_together     the subjects are one                 not_a_duplicate   they are not, and are not proposed again
    rename            {"name": text}                       quarantine        {"status": quarantined | active}
    edit              {"action": {part: text}}             of an Action: op, role, name, value, row, column
                      {"slot": old, "name": new, "type": t} of a Task or Subtask
    rollback          {"version": n, "steps": digest, "nodes": {...}, "root": key}: an earlier version stands again
    promote           like rollback, for a target that was healed and has worked

Where two contradict each other the later one holds (by ``at``, then by key).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from graphmem.model.identity import canonical, digest, key_of

Kind: TypeAlias = Literal["keep_together", "not_a_duplicate", "rename", "edit", "quarantine", "rollback", "promote"]
KINDS: tuple[Kind, ...] = get_args(Kind)

#: The labels of what can be decided about.
LABELS = ("Task", "Subtask", "Action")

#: Spans that a subject keeps. More would not tell a node any better; keys are hashes, so the first ones are a fair sample.
MOST = 200

#: The keys of the first and the last step: of an action's one step twice, of a task the recording's first step twice.
Span: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class Subject:
    """A node by the recorded steps that it stood for. ``kind`` is a Subtask's kind (``draft KIND``
    where no task comes down to it); ``inner`` how many subtasks of that
    kind, with the very same steps, lie around it. ``spans`` are sorted."""

    label: str
    spans: tuple[Span, ...]
    kind: str = ""
    inner: int = 0

    @classmethod
    def of(cls, label: str, spans: Iterable[Span], kind: str = "", inner: int = 0) -> Subject:
        """At most ``MOST`` of the spans, sorted."""
        return cls(label, tuple(sorted(set(spans))[:MOST]), kind, inner)


@dataclass(frozen=True)
class Decision:
    """``site``: the owner of the nodes, "" for the layer above the sites. ``what``: canonical JSON, as the kind needs it.
    ``at``: ISO 8601 UTC text. ``note`` is for people and no part of what the decision is."""

    kind: Kind
    site: str
    subjects: tuple[Subject, ...]
    what: str = "{}"
    by: str = ""
    at: str = ""
    note: str = ""

    @cached_property
    def key(self) -> str:
        content = [self.kind, self.site, subjects_to_json(self.subjects), json.loads(self.what), self.by, self.at]
        return key_of("decision", content)

    @property
    def says(self) -> dict[str, Any]:
        """``what`` as a value."""
        said: dict[str, Any] = json.loads(self.what)
        return said

    @property
    def label(self) -> str:
        return self.subjects[0].label if self.subjects else ""

    @property
    def order(self) -> tuple[str, str]:
        """Later decisions come after earlier ones."""
        return (self.at, self.key)


def decided(kind: Kind, site: str, subjects: Sequence[Subject], what: Mapping[str, Any], **who: str) -> Decision:
    """A decision with ``what`` as a value; the subjects sorted, as their order says nothing."""
    return Decision(kind, site, tuple(sorted(subjects, key=repr)), canonical(dict(what)), **who)


def in_order(decisions: Iterable[Decision]) -> list[Decision]:
    return sorted(decisions, key=lambda decision: decision.order)


def spans_digest(spans: Iterable[Span]) -> str:
    """What tells whether a node still stands for exactly these steps."""
    return digest(canonical(sorted(set(spans))))


# -- JSON --------------------------------------------------------------------------------------------------------------


def subjects_to_json(subjects: Iterable[Subject]) -> list[dict[str, Any]]:
    return [
        {"label": s.label, "kind": s.kind, "inner": s.inner, "spans": [list(span) for span in s.spans]}
        for s in subjects
    ]


def subjects_from_json(data: Sequence[Mapping[str, Any]]) -> tuple[Subject, ...]:
    """The inverse. KeyError, TypeError or ValueError for what is no subject."""
    return tuple(
        Subject(s["label"], tuple((first, last) for first, last in s["spans"]), s["kind"], s["inner"]) for s in data
    )
