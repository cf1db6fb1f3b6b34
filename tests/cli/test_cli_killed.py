"""kill -9 in the middle of ``learn``: the store verifies, and learning again ends in the same graph."""

import contextlib
import random
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import pytest
from support.dump import dump

from graphmem import Memory

RECORDINGS = str(Path(str(files("graphmem").joinpath("demo_data"))) / "bookbarn.jsonl")
KILLS = 20

#: learn in small batches, so that there is something between them; says when it has begun, and how long it took.
LEARN = """
import sys, time
from graphmem import Memory
from graphmem.importers import read
from graphmem_induction import graph_inducer
from graphmem.memory import learning
learning.BATCH = 1
with Memory.open(sys.argv[1]) as memory:
    print("begun", flush=True)
    memory.learn(sys.argv[2])
"""


def begin(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", LEARN, str(folder), RECORDINGS]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The graph of a learning that nobody killed, and the seconds that it took."""
    folder = tmp_path_factory.mktemp("whole") / "store"
    process = begin(folder)
    started = time.monotonic()
    assert process.wait(60) == 0
    return dump(str(folder)), time.monotonic() - started


def test_killed_at_any_point_it_verifies_and_learns_to_the_same_graph(whole, tmp_path):
    graph, seconds = whole
    chance = random.Random(9)
    killed = 0
    for attempt in range(KILLS):
        folder = tmp_path / f"store-{attempt}"
        process = begin(folder)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(chance.uniform(0, seconds))
        process.kill()
        killed += process.wait() != 0
        process.communicate()
        with Memory.open(str(folder)) as memory:
            assert memory.verify()["faults"] == [], f"kill {attempt}"
            memory.learn(RECORDINGS)
            assert memory.verify()["ok"]
            assert dump(memory.store) == graph, f"kill {attempt}"
    assert killed >= KILLS / 2
