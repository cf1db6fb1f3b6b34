"""The command line on a real Neo4j: the same graph as on the embedded store, also from two processes at once."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from support.dump import dump

from graphmem import Memory
from graphmem.memory.showing import tree
from graphmem.store import open_store

DEMO = Path(str(files("graphmem").joinpath("demo_data")))

pytestmark = pytest.mark.neo4j


def test_two_processes_on_one_server_equal_one_on_a_folder(cli, neo4j_service, nowhere):
    parts = [DEMO / "northrail.jsonl", DEMO / "skylark-air.jsonl"]
    environ = {**neo4j_service.environ(), "NEO4J_URI": neo4j_service.url}
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "graphmem.cli", "learn", "--json", str(part)],
            cwd=nowhere, env={**os.environ, **environ}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for part in parts
    ]  # fmt: skip
    for learner in running:
        out, err = learner.communicate(timeout=240)
        assert learner.returncode == 0, err
        assert json.loads(out)["learned"] > 5
    assert cli("learn", *parts, "--store", "alone").code == 0
    with Memory(open_store(neo4j_service.url, environ=environ)) as served, Memory.open("alone") as alone:
        assert dump(served.store) == dump(alone.store)
        assert served.stats() == alone.stats()
        assert served.verify()["faults"] == []
        assert tree(served.graph()) == tree(alone.graph())
        task = "Train from Ostend to Namur"
        assert served.plan(task).to_json() == alone.plan(task).to_json()
