"""Every error that graphmem raises on purpose.

GraphmemError                    what went wrong, and a hint that says what to do
├── InputError                   a recording that cannot be read: file, place, reason
├── UsageError                   a call or command that cannot be right
│   └── NotFound                 no node has this key or name
├── MissingExtra                 an optional package is asked for and not installed
└── StoreError                   the store said no
    ├── StoreUnavailable         it cannot be reached, or its engine is not installed
    │   └── StoreHeld            another process holds the folder
    ├── StoreConflict            another writer was first; trying again may work
    ├── StoreMismatch            not our database, a newer schema, or another inducer or embedder
    └── ReadOnlyRefused          the console was asked for something other than reading
"""

from __future__ import annotations


class GraphmemError(Exception):
    """The root. ``hint`` is one sentence that tells the user what to do; it may be empty."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InputError(GraphmemError):
    """One record that is refused: ``file``, ``place`` in it (such as ``line 3, step 2``) and ``reason``."""

    def __init__(self, file: str, place: str, reason: str) -> None:
        super().__init__(f"{file}: {place + ': ' if place else ''}{reason}")
        self.file = file
        self.place = place
        self.reason = reason


class UsageError(GraphmemError):
    """A call that cannot be right, whatever the store holds."""


class NotFound(UsageError):
    """No node, query, file or format goes by ``what``."""

    def __init__(self, what: str, *, hint: str = "") -> None:
        super().__init__(f"Nothing is known as {what!r}.", hint=hint)
        self.what = what


class MissingExtra(GraphmemError):
    """``package`` is needed for ``purpose`` and comes with the extra ``extra``."""

    def __init__(self, purpose: str, package: str, extra: str) -> None:
        super().__init__(
            f"{purpose} needs {package}, which is not installed.", hint=f"Run: pip install 'graphmem[{extra}]'"
        )
        self.package = package
        self.extra = extra


class StoreError(GraphmemError):
    """The store refused or failed. ``retryable`` says whether the same work may succeed when done again."""

    retryable = False


class StoreUnavailable(StoreError):
    """The store cannot be reached, or its engine is not installed here."""


class StoreHeld(StoreUnavailable):
    """Another process holds the folder of an embedded store for longer than the caller would wait."""


class StoreConflict(StoreError):
    """Another writer got there first: nothing was written."""

    retryable = True


class StoreMismatch(StoreError):
    """A database that is not ours, of a newer schema, or made by another inducer or embedder."""


class ReadOnlyRefused(StoreError):
    """The read-only console was asked for something else."""
