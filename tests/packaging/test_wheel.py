"""The built wheel: everything is in it, and it works away from the checkout with its base dependencies alone."""

import fnmatch
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "graphmem": CHECKOUT / "graphmem",
    "graphmem_induction": CHECKOUT / "induction/graphmem_induction",
    "graphmem_agents": CHECKOUT / "agents/graphmem_agents",
    "graphmem_queries": CHECKOUT / "queries/graphmem_queries",
}
FLIGHTS = [
    ("Find a flight from Oslo to Rome", "Oslo", "Rome"),
    ("Find a flight from Bergen to Paris", "Bergen", "Paris"),
]


def recording(task: str, origin: str, destination: str) -> str:
    steps = [
        {"op": "navigate", "value": "https://air.example.com/", "page": {"url": "https://air.example.com/"}},
        {"op": "type", "target": {"role": "textbox", "name": "From"}, "value": origin},
        {"op": "type", "target": {"role": "textbox", "name": "To"}, "value": destination},
        {"op": "click", "target": {"role": "button", "name": "Search flights"}},
    ]
    document = {"schema": "graphmem.trajectory/1", "task": task, "site": "air.example.com", "outcome": "success"}
    return json.dumps(document | {"steps": steps})


@pytest.fixture
def flights(tmp_path: Path) -> Path:
    path = tmp_path / "flights.jsonl"
    path.write_text("\n".join(recording(*flight) for flight in FLIGHTS) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def content(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_of_the_package_is_in_the_wheel(package, content):
    source = PACKAGES[package]
    files = {f"{package}/{path.relative_to(source)}" for path in source.rglob("*") if path.is_file()}
    files = {name for name in files if "__pycache__" not in name}
    assert f"{package}/py.typed" in files
    assert files - content == set()


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("statements of the schema", "graphmem_queries/schema/*.cypher"),
        ("statements that read", "graphmem_queries/read/*.cypher"),
        ("statements that write", "graphmem_queries/write/*.cypher"),
        ("recordings of the demo", "graphmem/demo_data/*.json*"),
        ("the library of the view", "graphmem/view/*.js"),
    ],
)
def test_what_is_no_python_travels_too(what, pattern, content):
    assert fnmatch.filter(content, pattern), what


def test_nothing_but_the_four_packages_is_installed(content):
    roots = {name.split("/")[0] for name in content}
    assert {root for root in roots if not root.endswith(".dist-info")} == set(PACKAGES)


def test_the_wheel_runs_away_from_the_checkout(installed, tmp_path):
    done = installed.run("graphmem", "--version", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0.1.0" in done.stdout
    where = installed.run("python", "-c", "import graphmem; print(graphmem.__file__)", cwd=tmp_path)
    assert Path(where.stdout.strip()).is_relative_to(installed.root)


def test_the_wheel_prints_the_json_schema_that_the_documents_show(installed, tmp_path):
    done = installed.run("graphmem", "schema", cwd=tmp_path)
    assert json.loads(done.stdout) == json.loads((CHECKOUT / "docs/trajectory.schema.json").read_text(encoding="utf-8"))


def test_the_wheel_learns_and_plans_with_the_base_dependencies(installed, flights, tmp_path):
    learned = installed.run("graphmem", "learn", flights.name, "--json", cwd=tmp_path)
    assert learned.returncode == 0, learned.stderr
    assert json.loads(learned.stdout)["learned"] == len(FLIGHTS)
    planned = installed.run("graphmem", "plan", "Find a flight from Graz to Nice", "--json", cwd=tmp_path)
    assert planned.returncode == 0, planned.stderr
    plan = json.loads(planned.stdout)
    assert plan["fits"]
    assert [(step["op"], step["value"]) for step in plan["steps"]][1:3] == [("type", "Graz"), ("type", "Nice")]


def test_a_checkout_installs_with_pip_alone(tmp_path):
    """``pip install .`` as a user types it, but with the build tools that are here, so that no registry is asked."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--target", tmp_path / "there", CHECKOUT], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "there").iterdir()} >= set(PACKAGES)


FAKE = """
from graphmem import Step, Target, Trajectory

class LogbookImporter:
    name = "logbook"
    def sniff(self, head, path):
        return head.startswith(b"LOGBOOK")
    def read(self, source):
        yield Trajectory(task="Raise the anchor", site="boat.example.com", outcome="success",
                         steps=(Step(op="click", target=Target(role="button", name="Raise")),))
"""


def test_an_importer_of_an_outside_package_is_found_by_its_entry_point(installed, tmp_path):
    outside = tmp_path / "outside"
    info = outside / "logbook-1.0.dist-info"
    info.mkdir(parents=True)
    (outside / "logbook.py").write_text(FAKE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: logbook\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[graphmem.importers]\nlogbook = logbook:LogbookImporter\n")
    (tmp_path / "trip.log").write_text("LOGBOOK\n")
    path = {"PYTHONPATH": str(outside)}
    done = installed.run("graphmem", "import", "trip.log", "--json", cwd=tmp_path, env=path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["learned"] == 1
    without = installed.run("graphmem", "import", "trip.log", "--json", cwd=tmp_path)
    assert without.returncode != 0
