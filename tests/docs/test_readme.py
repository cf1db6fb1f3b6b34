"""The documents cannot rot: what the README shows is typed, in order, and what it prints is compared.

Of the fenced blocks, ``jsonl NAME`` is saved as that file, ``console`` is typed line by line (``$ ``), ``python`` is run.
A line of output that is shown must come, in that order; ``...`` stands for anything. A command ends with 0 unless its
comment says ``# exit code N``.
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/*.md")])
FENCE = re.compile(r"^```(?P<kind>\w+) ?(?P<name>\S*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT_CODE = re.compile(r"#.*\bexit code (\d+)")


@dataclass(frozen=True)
class Block:
    kind: str
    name: str
    body: str
    line: int


@dataclass(frozen=True)
class Command:
    text: str
    shown: tuple[str, ...]

    @property
    def code(self) -> int:
        said = EXIT_CODE.search(self.text)
        return int(said[1]) if said else 0


def blocks(text: str) -> list[Block]:
    return [Block(m["kind"], m["name"], m["body"], text[: m.start()].count("\n") + 1) for m in FENCE.finditer(text)]


def commands(body: str) -> list[Command]:
    found: list[Command] = []
    for part in re.split(r"^\$ ", body.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        text, *shown = part.rstrip("\n").split("\n")
        found.append(Command(text, tuple(line for line in shown if line.strip())))
    return found


def missing_line(shown: tuple[str, ...], printed: str) -> str:
    """The first line of ``shown`` that does not come in ``printed`` after those before it; "" when all do."""
    lines = iter([" ".join(line.split()) for line in printed.splitlines()])
    for wanted in shown:
        pattern = ".*".join(re.escape(piece) for piece in " ".join(wanted.split()).split("..."))
        if wanted.strip() != "..." and not any(re.fullmatch(pattern, line) for line in lines):
            return wanted
    return ""


def environment(folder: Path) -> dict[str, str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GRAPHMEM", "NEO4J"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{clean['PATH']}"
    return clean | {"PATH": path, "HOME": str(folder), "NO_COLOR": "1", "COLUMNS": "120"}


def type_it(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )


def check_command(command: Command, folder: Path, line: int) -> None:
    done = type_it(command.text, folder)
    assert done.returncode == command.code, f"README line {line}: {command.text}\n{done.stdout}"
    missing = missing_line(command.shown, done.stdout)
    assert not missing, f"README line {line}: {command.text}\nshows\n  {missing}\nbut it prints\n{done.stdout}"


def test_the_tour_runs_as_it_is_written(tmp_path):
    typed = 0
    for block in blocks((CHECKOUT / "README.md").read_text(encoding="utf-8")):
        if block.kind == "jsonl":
            (tmp_path / block.name).write_text(block.body, encoding="utf-8")
        elif block.kind == "python":
            (tmp_path / "tour.py").write_text(block.body, encoding="utf-8")
            check_command(Command("python tour.py", ()), tmp_path, block.line)
        elif block.kind == "console":
            for command in commands(block.body):
                check_command(command, tmp_path, block.line)
                typed += 1
    assert typed >= 10


def test_the_two_commands_are_there():
    text = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    mentioned = set(re.findall(r"\bmake ([a-z]+)", "".join(b.body for b in blocks(text))))
    assert {"demo", "test"} <= mentioned <= set(targets)


def test_ci_runs_what_the_readme_says():
    assert "make --no-print-directory test" in (CHECKOUT / ".ci/run").read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_command_that_a_document_names_exists(document, known_commands):
    text = document.read_text(encoding="utf-8")
    quoted = "\n".join([*re.findall(r"`([^`\n]+)`", text), *(block.body for block in blocks(text))])
    named = set(re.findall(r"(?:^|\$ |make demo.*)\bgraphmem ([a-z]+)\b", quoted, flags=re.MULTILINE))
    assert named - known_commands == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_to_a_file_leads_somewhere(document):
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target:
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_that_a_document_quotes_exists(document):
    roots = ("graphmem/", "induction/", "agents/", "queries/", "tests/", "docs/", "benchmarks/", "examples/")
    for quoted in re.findall(r"`([\w./-]+/[\w./-]*)`", document.read_text(encoding="utf-8")):
        if quoted.startswith(roots):
            assert (CHECKOUT / quoted).exists(), quoted


@pytest.fixture(scope="module")
def known_commands():
    from typer.main import get_command

    from graphmem.cli.app import app

    return set(get_command(app).commands)


def test_a_wrong_document_would_be_noticed(tmp_path):
    """The checks above are checks: each kind of lie is told apart from the truth."""
    (command,) = commands("$ echo one two; echo three\none ...\nthree\n")
    check_command(command, tmp_path, 1)
    for lie in ("$ echo one\ntwo\n", "$ echo one; echo two\ntwo\none\n", "$ false\n", "$ true # exit code 3\n"):
        with pytest.raises(AssertionError):
            check_command(*commands(lie), tmp_path, 1)


def test_blocks_are_found_with_their_names_and_lines():
    text = "# T\n\n```jsonl a.jsonl\n{}\n```\n\n```console\n$ ls \\\n  -l\n```\n"
    first, second = blocks(text)
    assert (first.kind, first.name, first.body, first.line) == ("jsonl", "a.jsonl", "{}\n", 3)
    assert [command.text for command in commands(second.body)] == ["ls   -l"]
