"""A wheel of this checkout, and an environment that holds it with its base dependencies and nothing else.

The environment is honest without a registry: the wheel is installed by pip, and the distributions that its own metadata asks
for (no extra, no test tool) are linked in from the environment of the tests. Nothing of the checkout is on its path.
"""

import os
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

CHECKOUT = Path(__file__).resolve().parents[2]

Run = Callable[..., subprocess.CompletedProcess[str]]


@dataclass(frozen=True)
class Installed:
    """A virtual environment with the wheel in it."""

    root: Path
    site_packages: Path

    def run(
        self, *command: str | Path, cwd: Path, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """``command``, its first word looked up in the environment, away from the checkout."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("GRAPHMEM", "NEO4J", "PYTHON", "COV"))}
        return subprocess.run(
            [self.root / "bin" / command[0], *command[1:]],
            cwd=cwd,
            env=clean | {"HOME": str(cwd), "NO_COLOR": "1"} | (env or {}),
            capture_output=True,
            text=True,
            timeout=120,
        )


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(CHECKOUT)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    root = tmp_path_factory.mktemp("installed")
    venv.create(root, with_pip=False, symlinks=True)
    python = root / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    done = subprocess.run([*pip, str(wheel)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    (site_packages,) = root.glob("lib/python*/site-packages")
    (info,) = site_packages.glob("graphmem-*.dist-info")
    for needed in _needed(PathDistribution(info)):
        _link(needed, site_packages)
    return Installed(root, site_packages)


def _needed(top: Distribution) -> Iterator[Distribution]:
    """Everything that ``top`` asks for, and what these ask for, with the extras that they name."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(top, frozenset[str]())]
    while waiting:
        asking, extras = waiting.pop()
        for text in asking.requires or ():
            requirement = Requirement(text)
            wanted = (requirement.name.lower(), frozenset(requirement.extras))
            applies = (
                [requirement.marker.evaluate({"extra": e}) for e in extras | {""}] if requirement.marker else [True]
            )
            if any(applies) and wanted not in seen:
                seen.add(wanted)
                found = distribution(requirement.name)
                yield found
                waiting.append((found, wanted[1]))


def _link(needed: Distribution, site_packages: Path) -> None:
    for name in {Path(file).parts[0] for file in needed.files or ()} - {"..", "__pycache__"}:
        link, source = site_packages / name, Path(str(needed.locate_file(name)))
        if not link.exists():
            link.symlink_to(source)
