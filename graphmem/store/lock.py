"""Taking turns on a folder: one process holds it while it works, the others wait and say for whom.

Two operating-system locks make a turnstile. Who wants the folder first takes ``next``, then ``held``, then lets go of
``next``: so at most one process stands right behind the holder, a holder that lets go cannot overtake it, and the holder
learns that somebody waits by finding ``next`` taken. Both locks vanish with their process, so a kill leaves nothing to
clean up; the ``holder`` file only serves the message.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from graphmem.errors import StoreHeld, StoreUnavailable

#: Seconds after which a waiter says so.
PATIENCE = 1.0
_POLL = 0.02


class Turn:
    """This process's turn on ``folder``, which must exist. Not reentrant, and not for two threads at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # thread_local=False: the thread that closes an idle store is not the one that opened it.
        self._next = FileLock(folder / "next.lock", thread_local=False)
        self._held = FileLock(folder / "held.lock", thread_local=False)

    def take(self, wait: float) -> None:
        """Wait at most ``wait`` seconds for the turn. StoreHeld, StoreUnavailable."""
        started = time.monotonic()
        try:
            self._acquire(self._next, started, wait)
            try:
                self._acquire(self._held, started, wait)
            finally:
                self._next.release()
        except OSError as error:
            raise StoreUnavailable(
                f"The store {self._folder} cannot be locked: {error.strerror or error}.",
                hint="Check that the folder can be written, or choose another with --store.",
            ) from error
        with suppress(OSError):
            (self._folder / "holder").write_text(str(os.getpid()), encoding="ascii")

    def give(self) -> None:
        """Let the next process have its turn."""
        self._held.release()

    def wanted(self) -> bool:
        """Whether another process waits right now."""
        try:
            self._next.acquire(timeout=0)
        except Timeout:
            return True
        except OSError:
            return False
        self._next.release()
        return False

    def _acquire(self, lock: FileLock, started: float, wait: float) -> None:
        said = time.monotonic() - started >= PATIENCE
        while True:
            waited = time.monotonic() - started
            left = wait - waited if said else min(wait, PATIENCE) - waited
            try:
                lock.acquire(timeout=max(0.0, left), poll_interval=_POLL)
                return
            except Timeout:
                if time.monotonic() - started >= wait:
                    raise self._held_error(wait) from None
            if not said:
                said = True
                print(f"graphmem: {self._folder} is in use: waiting for {self._whom()}", file=sys.stderr, flush=True)

    def _whom(self) -> str:
        with suppress(OSError):
            pid = (self._folder / "holder").read_text(encoding="ascii", errors="replace").strip()
            if pid.isdigit():
                return f"process {pid}"
        return "another process"

    def _held_error(self, wait: float) -> StoreHeld:
        return StoreHeld(
            f"The store {self._folder} is held by {self._whom()}; gave up after {wait:g} seconds.",
            hint="Try again when it is done, wait longer with --wait, or use another folder.",
        )
