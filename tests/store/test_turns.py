"""Processes take turns on an embedded folder. The other process here is always a real one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cypher import COUNT, PUT, rows

from graphmem.errors import StoreHeld
from graphmem.store import embedded, open_store

HERE = Path(__file__).parents[1]
PRELUDE = """
import os, sys
from graphmem.errors import StoreHeld
from graphmem.store import open_store
from support.cypher import COUNT, PUT, rows
url = sys.argv[1]
def say(text):
    print(text, flush=True)
def heard():
    return sys.stdin.readline().strip()
def put(store, prefix, work=lambda: None):
    def unit(tx):
        tx.run(PUT, rows=rows(1, prefix))
        work()
    store.write(unit)
"""


class Other:
    """A process of its own that runs ``code`` and talks over pipes."""

    def __init__(self, url: str, code: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PRELUDE + code, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(HERE)},
        )  # fmt: skip

    @property
    def pid(self) -> int:
        return self.process.pid

    def hear(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def say(self, text: str = "go") -> None:
        assert self.process.stdin
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def end(self) -> tuple[str, str]:
        out, err = self.process.communicate(timeout=120)
        return out, err


@pytest.fixture
def others(embedded_url: str) -> Iterator[type[Other]]:
    """Start other processes; those that are still there at the end are ended, each by its id."""
    started: list[Other] = []

    class Started(Other):
        def __init__(self, code: str) -> None:
            super().__init__(embedded_url, code)
            started.append(self)

    yield Started  # type: ignore[misc]
    for other in started:
        if other.process.poll() is None:
            other.process.kill()
            other.process.communicate()


HOLD = "store = open_store(url)\nput(store, 'other', lambda: (say('in'), heard()))\nsay('out')\nheard()"


def keys(url: str) -> list[str]:
    store = open_store(url)
    try:
        return [row["key"] for row in store.read(COUNT)]
    finally:
        store.close()


def test_four_processes_that_open_write_and_close_lose_nothing(embedded_url: str, others: type[Other]) -> None:
    code = """
for i in range(20):
    store = open_store(url)
    put(store, f"{os.getpid()}-{i}")
    store.close()
"""
    running = [others(code) for _ in range(4)]  # type: ignore[call-arg]
    for other in running:
        other.end()
    assert [other.process.returncode for other in running] == [0] * 4
    assert len(keys(embedded_url)) == 80


def test_one_that_waits_says_for_whom_and_gives_up(
    embedded_url: str, others: type[Other], capfd: pytest.CaptureFixture[str]
) -> None:
    other = others(HOLD)  # type: ignore[call-arg]
    assert other.hear() == "in"
    store = open_store(embedded_url, wait=1.3)
    began = time.monotonic()
    with pytest.raises(StoreHeld, match=rf"held by process {other.pid}"):
        store.read(COUNT)
    took = time.monotonic() - began
    said = capfd.readouterr()
    assert said.out == ""
    assert re.fullmatch(rf"graphmem: .* is in use: waiting for process {other.pid}\n", said.err)
    assert 1.3 <= took < 10
    other.say()
    assert other.hear() == "out"
    assert [row["key"] for row in store.read(COUNT)] == ["other:00000"]  # and later it has its turn
    store.close()


def test_one_that_waits_less_than_a_second_says_nothing(
    embedded_url: str, others: type[Other], capfd: pytest.CaptureFixture[str]
) -> None:
    other = others(HOLD)  # type: ignore[call-arg]
    assert other.hear() == "in"
    store = open_store(embedded_url, wait=0)
    with pytest.raises(StoreHeld):
        store.read(COUNT)
    assert capfd.readouterr().err == ""
    store.close()


def test_a_process_that_is_idle_lets_go_and_goes_on_later(embedded_url: str, others: type[Other]) -> None:
    other = others(HOLD + "\nput(store, 'later')\nsay('done')\nheard()")  # type: ignore[call-arg]
    assert other.hear() == "in"
    other.say()
    assert other.hear() == "out"  # it lives, has the store open, and does nothing
    store = open_store(embedded_url)
    store.write(lambda tx: tx.run(PUT, rows=rows(1, "mine")))
    other.say()
    assert other.hear() == "done"
    assert [row["key"] for row in store.read(COUNT)] == ["later:00000", "mine:00000", "other:00000"]
    store.close()


BUSY = """
store = open_store(url)
n = 0
while n < 100_000:
    put(store, f"busy-{n}")
    if n == 0:
        say('in')
    n += 1
    RELEASE
    if len(store.read(COUNT)) != n:
        break
say(str(n))
heard()
"""


def test_a_busy_process_lets_another_in_between_two_units_of_work(embedded_url: str, others: type[Other]) -> None:
    other = others(BUSY.replace("RELEASE", "store.release()"))  # type: ignore[call-arg]
    assert other.hear() == "in"
    store = open_store(embedded_url)
    store.write(lambda tx: tx.run(PUT, rows=rows(1, "mine")))
    store.close()
    assert int(other.hear()) < 100_000  # the other noticed, between two of its own


def test_a_busy_process_that_never_releases_lets_another_in_all_the_same(
    embedded_url: str, others: type[Other]
) -> None:
    other = others(BUSY.replace("RELEASE", ""))  # type: ignore[call-arg]
    assert other.hear() == "in"
    store = open_store(embedded_url)
    store.write(lambda tx: tx.run(PUT, rows=rows(1, "mine")))
    store.close()
    assert int(other.hear()) < 100_000


def test_nobody_overtakes_one_that_waits(embedded_url: str, others: type[Other]) -> None:
    """Three who release after each write come forward together: none is left behind."""
    code = """
store = open_store(url)
say('in')
heard()
for i in range(40):
    put(store, f"{os.getpid()}-{i}")
    store.release()
store.close()
"""
    running = [others(code) for _ in range(3)]  # type: ignore[call-arg]
    for other in running:
        assert other.hear() == "in"
    for other in running:
        other.say()
    for other in running:
        other.end()
        assert other.process.returncode == 0
    assert len(keys(embedded_url)) == 120


def test_a_process_that_is_killed_leaves_no_lock_and_no_half_work(embedded_url: str, others: type[Other]) -> None:
    first = open_store(embedded_url)
    first.write(lambda tx: tx.run(PUT, rows=rows(1, "mine")))
    first.close()
    other = others(HOLD)  # type: ignore[call-arg]
    assert other.hear() == "in"  # its rows are written, and not committed
    other.process.kill()
    other.process.wait()
    assert keys(embedded_url) == ["mine:00000"]


def test_a_process_that_is_killed_while_it_makes_the_store_leaves_a_store_that_opens(
    embedded_url: str, others: type[Other]
) -> None:
    code = """
from graphmem.store import arcade
def stop(*_):
    say('half')
    heard()
arcade.os.replace = stop
put(open_store(url), 'other')
"""
    other = others(code)  # type: ignore[call-arg]
    assert other.hear() == "half"
    other.process.kill()
    other.process.wait()
    store = open_store(embedded_url)
    store.write(lambda tx: tx.run(PUT, rows=rows(1, "mine")))
    store.close()
    assert keys(embedded_url) == ["mine:00000"]


def test_nothing_is_said_on_the_terminal_by_the_engine(embedded_url: str, others: type[Other]) -> None:
    code = """
store = open_store(url)
put(store, 'a')
try:
    store.write(lambda tx: 1 / 0)
except ZeroDivisionError:
    pass
store.vectors('Task', 3)
store.close()
os._exit(0) if len(sys.argv) > 2 else None
"""
    for _ in range(2):
        other = others(code)  # type: ignore[call-arg]
        assert other.end() == ("", "")
    assert not (Path.cwd() / "log").exists()


def test_two_stores_of_one_process_share_the_folder_by_any_name(embedded_url: str, tmp_path: Path) -> None:
    one = open_store(embedded_url)
    one.write(lambda tx: tx.run(PUT, rows=rows(1, "one")))
    (tmp_path / "link").symlink_to(embedded_url)
    two = open_store(str(tmp_path / "link"), wait=0)
    two.write(lambda tx: tx.run(PUT, rows=rows(1, "two")))
    one.close()
    assert len(two.read(COUNT)) == 2
    two.close()


def test_threads_of_one_process_take_turns_too(embedded_url: str) -> None:
    store = open_store(embedded_url)
    threads = [
        threading.Thread(target=store.write, args=(lambda tx, i=i: tx.run(PUT, rows=rows(3, f"t{i}")),))
        for i in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.read(COUNT)) == 24
    store.close()


def test_a_passing_store_is_gone_when_it_is_closed_and_at_exit(others: type[Other], tmp_path: Path) -> None:
    code = """
import pathlib, tempfile
kept, closed = open_store('memory:'), open_store('memory:')
for store in (kept, closed):
    put(store, 'a')
assert len(kept.read(COUNT)) == 1
folders = [store._folder.path for store in (kept, closed)]
assert all(folder.is_dir() for folder in folders)
closed.close()
assert not folders[1].exists()
say(str(folders[0]))
"""
    other = others(code)  # type: ignore[call-arg]
    out, err = other.end()
    assert err == ""
    assert out.strip()
    assert not Path(out.strip()).exists()


def test_two_passing_stores_have_nothing_in_common() -> None:
    one, two = open_store("memory:"), open_store("memory:")
    one.write(lambda tx: tx.run(PUT, rows=rows(1)))
    assert two.read(COUNT) == []
    one.close()
    two.close()


def test_a_child_that_was_forked_is_told_and_not_hung(embedded_url: str) -> None:
    store = open_store(embedded_url)
    store.write(lambda tx: tx.run(PUT, rows=rows(1)))
    store.close()
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:  # the child
        try:
            open_store("memory:").read(COUNT)
            os.write(write, b"ran")
        except BaseException as error:
            os.write(write, type(error).__name__.encode())
        os._exit(0)
    os.waitpid(pid, 0)
    assert os.read(read, 100) == b"StoreUnavailable"
    os.close(read)
    os.close(write)


def test_a_folder_that_cannot_be_written_is_said_plainly(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = open_store(str(tmp_path / "file" / "store"))
    with pytest.raises(embedded.StoreUnavailable, match="cannot be opened"):
        store.write(lambda tx: tx.run(PUT, rows=rows(1)))
    store.close()
