"""The embedded store: ArcadeDB in the process, kept in one folder, with no server.

The engine lets one process open a folder, so processes take turns (``graphmem.store.lock``): a store opens its folder on
first use and lets go when it has been idle for a moment and another waits. In one process all stores on a folder share
one handle, and one unit of work runs at a time. ``memory:`` is the same engine in a temporary folder of its own, removed
at exit.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from graphmem.errors import StoreMismatch, StoreUnavailable, UsageError
from graphmem.store import console
from graphmem.store.arcade import Handle
from graphmem.store.lock import Turn
from graphmem.store.parameters import check
from graphmem.store.protocol import Row, Table, Transaction
from graphmem_queries import Query

T = TypeVar("T")

#: Seconds without work after which a folder is let go when another process waits for it, and when none does: to open it
#: again takes long, and a learner has much to work out between reading and writing.
IDLE = 0.3
KEPT = 3.0
_LOOK = 0.05
#: Seconds after which a busy store lets a waiting process in between two units of work, asked by ``release`` or not.
FAIR = 1.0
_OURS = {"graph", "graph.new", "held.lock", "next.lock", "holder"}


def open_embedded(url: str, *, wait: float = 30.0, environ: Mapping[str, str] = os.environ) -> EmbeddedStore:
    """The store in the folder ``url``, or a passing one for ``memory:``. Nothing is opened or made before first use.
    StoreMismatch when ``url`` is a file."""
    if url == "memory:":
        return EmbeddedStore(url, _Folder(Path(tempfile.mkdtemp(prefix="graphmem-")), passing=True), wait)
    path = Path(url).expanduser()
    if path.exists() and not path.is_dir():
        raise StoreMismatch(f"{url} is a file, not the folder of a store.", hint="Name a folder with --store.")
    return EmbeddedStore(url, _Folder.shared(path.resolve()), wait)


class EmbeddedStore:
    """A ``Store`` on a folder. Several of them in one process may share it; threads take turns."""

    def __init__(self, url: str, folder: _Folder, wait: float) -> None:
        self._url = url
        self._folder = folder
        self._wait = wait
        self._closed = False
        folder.owners += 1

    @property
    def url(self) -> str:
        return self._url

    def read(self, query: Query, /, **values: Any) -> list[Row]:
        check(values, writing=False)
        with self._use(writing=False) as handle:
            return handle.read(query, **values)

    def write(self, work: Callable[[Transaction], T], /) -> T:
        with self._use(writing=True) as handle:
            return handle.write(work)

    def console(
        self, statement: str, parameters: Mapping[str, Any], /, *, limit: int = 1000, seconds: float = 30.0
    ) -> Table:
        checked = console.check(statement, parameters)
        check(parameters, writing=False)
        with self._use(writing=False) as handle:
            return handle.console(checked, parameters, limit, seconds)

    def vectors(self, label: str, dimension: int, /) -> None:
        with self._use(writing=True) as handle:
            handle.vectors(label, dimension)

    def release(self) -> None:
        self._folder.release()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._folder.disown()

    @contextmanager
    def _use(self, *, writing: bool) -> Iterator[Handle]:
        if self._closed:
            raise UsageError(f"The store {self._url} has been closed.")
        with self._folder.use(self._wait, self._url, writing=writing) as handle:
            yield handle


class _Folder:
    """The engine on one folder: who owns it in this process, and whether this process has its turn. ``_lock`` guards
    everything, and is held for a whole unit of work."""

    _all: ClassVar[list[_Folder]] = []
    _guard: ClassVar[threading.RLock] = threading.RLock()

    def __init__(self, path: Path, *, passing: bool = False) -> None:
        self.path = path
        self.owners = 0
        self._passing = passing
        self._lock = threading.RLock()
        self._turn = None if passing else Turn(path)
        self._handle: Handle | None = None
        self._depth = 0
        self._used = self._since = 0.0
        with self._guard:
            self._all.append(self)

    @classmethod
    def shared(cls, path: Path) -> _Folder:
        """The folder at ``path``, the same object for all who ask in this process."""
        with cls._guard:
            here = next((folder for folder in cls._all if folder.path == path), None)
            return here or cls(path)

    @contextmanager
    def use(self, wait: float, name: str, *, writing: bool) -> Iterator[Handle]:
        """The open engine for one unit of work, its schema up to date when ``writing``."""
        with self._lock:
            if not writing and self._absent():
                with _nothing().use(wait, name, writing=False) as nothing:
                    yield nothing  # reading what is not there makes no folder
                return
            handle = self._handle or self._take(wait, name)
            self._depth += 1
            try:
                handle.prepare(writing=writing)
                yield handle
            finally:
                self._depth -= 1
                self._used = time.monotonic()
                if self._used - self._since > FAIR:
                    self.release()

    def release(self) -> None:
        """Let go, between two units of work, when another process waits."""
        if self._lock.acquire(blocking=False):
            try:
                if self._turn and self._handle and not self._depth and self._turn.wanted():
                    self.let_go()
            finally:
                self._lock.release()

    def disown(self) -> None:
        """One owner less; the last one closes the engine and, where it is passing, removes the folder."""
        with self._lock:
            self.owners -= 1
            if self.owners <= 0 and not self._depth:
                self.let_go()

    def let_go(self, *, for_good: bool = False) -> None:
        """Close the engine and give the turn away. A passing folder goes with its last owner."""
        with self._lock:
            handle, self._handle = self._handle, None
            try:
                if handle:
                    handle.close()
            finally:
                if handle and self._turn:
                    self._turn.give()
                if self._passing and (for_good or self.owners <= 0):
                    shutil.rmtree(self.path, ignore_errors=True)

    def _absent(self) -> bool:
        return not self._passing and self._handle is None and not (self.path / "graph").exists()

    def _take(self, wait: float, name: str) -> Handle:
        if self._turn:
            self._make_ours(name)
            self._turn.take(wait)
        try:
            self._handle = handle = Handle(self.path / "graph", name)
        except BaseException:
            if self._turn:
                self._turn.give()
            raise
        self._since = self._used = time.monotonic()
        if self._turn:
            threading.Thread(target=self._watch, args=(handle,), name="graphmem-idle", daemon=True).start()
        return handle

    def _make_ours(self, name: str) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            inside = {entry.name for entry in self.path.iterdir()}
        except OSError as error:
            raise StoreUnavailable(
                f"The store {name} cannot be opened: {error.strerror or error}.", hint="Choose another with --store."
            ) from error
        if inside and not inside & _OURS:
            raise StoreMismatch(
                f"The folder {name} holds files that are not a graphmem store.",
                hint="Name an empty or a new folder with --store.",
            )

    def _watch(self, handle: Handle) -> None:
        """Close ``handle`` when nobody has used it for a while, or for a moment and another process waits. A thread of its
        own, for as long as it is open."""
        while True:
            with self._lock:
                if self._handle is not handle:
                    return
                idle = time.monotonic() - self._used
                if idle >= KEPT or (idle >= IDLE and self._turn and self._turn.wanted()):
                    self.let_go()
                    return
            time.sleep(max(IDLE - idle, _LOOK))


_empty: list[_Folder] = []


def _nothing() -> _Folder:
    """An empty graph to read, for a folder that is not there."""
    with _Folder._guard:
        if not _empty:
            folder = _Folder(Path(tempfile.mkdtemp(prefix="graphmem-empty-")), passing=True)
            folder.owners = 1
            _empty.append(folder)
        return _empty[0]


@atexit.register
def _close_all() -> None:
    for folder in list(_Folder._all):
        with suppress(Exception):
            folder.let_go(for_good=True)
