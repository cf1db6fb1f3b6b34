"""What importing pulls in, which way imports point, and that every declared entry point is there."""

import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HEAVY = (
    "sklearn",
    "scipy",
    "numpy",
    "neo4j",
    "arcadedb",
    "playwright",
    "openai",
    "fastembed",
    "networkx",
    "rich",
    "typer",
)
#: Extras that a user who asks for everything does not want: large downloads, and our own tools.
LEFT_OUT_OF_ALL = {"all", "dev", "train"}


def modules_after(code: str) -> set[str]:
    program = f"{code}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_importing_graphmem_pulls_in_nothing_heavy():
    assert modules_after("import graphmem") & set(HEAVY) == set()


def test_the_command_line_starts_without_the_engines():
    engines = {"sklearn", "scipy", "neo4j", "arcadedb", "playwright", "openai", "fastembed"}
    assert modules_after("import graphmem.cli") & engines == set()


def test_imports_point_one_way():
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    done = subprocess.run([*command, "--no-cache"], cwd=CHECKOUT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 kept, 0 broken" in done.stdout


@pytest.mark.parametrize("group", sorted(PROJECT["entry-points"]))
def test_every_entry_point_loads(group):
    ours = [point for point in entry_points(group=group) if point.dist and point.dist.name == "graphmem"]
    assert {point.name for point in ours} == set(PROJECT["entry-points"][group])
    for point in ours:
        assert callable(point.load()), point


def test_all_is_every_extra_but_training_and_models():
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(everything.removeprefix("graphmem[").removesuffix("]").split(","))
    assert named == set(extras) - LEFT_OUT_OF_ALL


def test_the_embedded_engine_is_pinned_and_left_out_where_it_has_no_wheel():
    (engine,) = [line for line in PROJECT["dependencies"] if line.startswith("arcadedb")]
    assert "==" in engine
    assert "platform_machine == 'arm64'" in engine


def test_nothing_that_is_tracked_names_a_registry_host():
    hosts = [
        ".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("maven", "org"), ("npmjs", "org"))
    ]
    suffixes = {".py", ".md", ".toml", ".cypher", ".yml", ".json", ".sh", ""}
    places = ["graphmem", "induction", "agents", "queries", "tests", "benchmarks", "docs", "examples", ".ci"]
    files = [path for place in places for path in (CHECKOUT / place).rglob("*") if path.suffix in suffixes]
    files += [path for path in CHECKOUT.iterdir() if path.is_file()]
    for path in files:
        if path.is_file() and "__pycache__" not in path.parts and path.stat().st_size < 300_000:
            text = path.read_bytes().decode("utf-8", "replace")
            assert not [host for host in hosts if host in text], path
