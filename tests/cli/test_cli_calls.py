"""What holds for every command: options, help, exit codes, errors in one line."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from graphmem.cli.app import app
from graphmem.errors import (
    GraphmemError,
    InputError,
    MissingExtra,
    NotFound,
    ReadOnlyRefused,
    StoreConflict,
    StoreError,
    StoreHeld,
    StoreMismatch,
    StoreUnavailable,
    UsageError,
)

COMMANDS = sorted(command.name for command in app.registered_commands)
PROMISED = {
    "learn", "import", "induce", "plan", "recall", "workflows", "show", "tree", "query", "cypher", "export", "view",
    "stats", "verify", "doctor", "judge", "forget", "demo", "schema",
    "dump", "load", "rename", "edit", "quarantine", "merge", "undo", "versions", "diff", "rollback",
}  # fmt: skip
HELP = Path(__file__).with_name("help.txt")


def test_the_promised_commands_are_there():
    assert set(COMMANDS) == PROMISED


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_and_the_common_options(cli, command):
    said = cli(command, "--help")
    assert said.code == 0
    assert f"Example:\n    graphmem {command}" in said.out
    for option in ("--store", "--wait", "--json", "--quiet", "--debug"):
        assert option in said.out


def _described(name, command):
    """What help says, without how a version of the library lays it out."""
    yield f"graphmem {name}"
    yield from (f"  {line.strip()}" for line in command.help.splitlines() if line.strip())
    for parameter in command.params:
        names = " ".join([*parameter.opts, *parameter.secondary_opts]) if parameter.param_type_name == "option" else ""
        shown = " ".join(part for part in (names, parameter.metavar) if part)
        default = parameter.default if isinstance(parameter.default, str | int | float | Path) else None
        yield f"    {shown}: {parameter.help}" + (f" [{default}]" if default not in (None, False) else "")
    yield from (f"  {line}" for line in command.epilog.replace("\b", "").splitlines() if line.strip())


def test_help_is_as_it_is_kept():
    """To keep a change on purpose: GRAPHMEM_TEST_KEEP=1 python -m pytest tests/cli -k help_is_as_it_is_kept"""
    commands = typer.main.get_command(app).commands
    text = "\n\n".join("\n".join(_described(name, command)) for name, command in commands.items()) + "\n"
    if os.environ.get("GRAPHMEM_TEST_KEEP"):
        HELP.write_text(text, encoding="utf-8")
    assert text == HELP.read_text(encoding="utf-8")


def test_the_version_is_the_package_s(cli):
    from importlib.metadata import version

    assert cli("--version").out == f"graphmem {version('graphmem')}\n"


def test_without_a_command_help_is_shown(cli):
    said = cli()
    assert said.code == 2
    assert "Start with: graphmem demo" in said.err


def test_a_shell_s_completion_can_be_had(process):
    said = process("--show-completion", environ={"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"})
    assert said.code in (0, 2)
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("x"), 2), (NotFound("x"), 2), (StoreUnavailable("x"), 5), (StoreHeld("x"), 5), (StoreError("x"), 1),
        (StoreConflict("x"), 1), (StoreMismatch("x"), 1), (ReadOnlyRefused("x"), 1), (InputError("f", "p", "r"), 1),
        (MissingExtra("x", "p", "e"), 1), (GraphmemError("x"), 1), (KeyboardInterrupt(), 130), (MemoryError(), 1),
        (FileNotFoundError(2, "No such file", "x"), 1), (ZeroDivisionError("x"), 1), (RecursionError("x"), 1),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)  # fmt: skip
def test_every_error_has_its_exit_code_and_no_traceback(cli, error, code, monkeypatch):
    import graphmem.memory

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(graphmem.memory.Memory, "open", fail)
    said = cli("stats", "--json")
    assert said.code == code
    assert "Traceback" not in said.err
    assert said.document["exit_code"] == code
    assert ("this is a bug" in said.err) == isinstance(error, ZeroDivisionError | RecursionError)


def test_debug_shows_the_traceback_of_a_bug(cli, monkeypatch):
    import graphmem.memory

    monkeypatch.setattr(graphmem.memory.Memory, "open", lambda *_, **__: 1 / 0)
    said = cli("stats", "--debug")
    assert "Traceback" in said.err
    assert "ZeroDivisionError" in said.err


@pytest.mark.parametrize(
    "call", [("stats", "--nope"), ("nope",), ("show",), ("stats", "--wait", "-1"), ("plan", "x", "--as", "song")]
)
def test_wrong_usage_is_2_and_says_what_is_wrong(process, call):
    said = process(*call)
    assert said.code == 2
    assert said.out == ""
    assert "Traceback" not in said.err
    assert "Error" in said.err


def test_the_store_is_the_option_then_the_environment_then_a_folder_here(process, tmp_path):
    def learnt(*options: str, **environ: str) -> list[str]:
        before = set(tmp_path.iterdir())
        said = process("import", "-", *options, given='{"task": "t", "steps": [{"op": "wait"}]}', environ=environ)
        assert said.code == 0, said.err
        return [path.name for path in set(tmp_path.iterdir()) - before]

    assert learnt() == [".graphmem"]
    assert learnt(GRAPHMEM_STORE="named") == ["named"]
    assert learnt("--store", "option", GRAPHMEM_STORE="named") == ["option"]


def test_a_server_that_is_not_there_is_5(process):
    said = process("stats", "--json", environ={"NEO4J_URI": "bolt://127.0.0.1:9", "NEO4J_PASSWORD": "hunter2"})
    assert said.code == 5
    assert json.loads(said.out)["exit_code"] == 5
    assert "hunter2" not in said.err + said.out
    assert "Traceback" not in said.err


def test_a_held_store_is_waited_for_and_then_5(process, tmp_path):
    holder = (
        "import sys, time\nfrom graphmem import Memory\n"
        "memory = Memory.open('held')\n"
        "memory.store.write(lambda tx: (print('held', flush=True), sys.stdin.read()))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        assert other.stdin
        assert other.stdout.readline() == "held\n"
        said = process(
            "import", "-", "--store", "held", "--wait", "1.5", given='{"task": "t", "steps": [{"op": "wait"}]}'
        )
        other.stdin.close()
    assert said.code == 5
    assert f"process {other.pid}" in said.err
    assert "--wait" in said.err


def test_an_interrupted_command_is_130_and_safe_to_run_again(process, tmp_path):
    record = json.dumps({"task": "t", "steps": [{"op": "wait"}]})
    with subprocess.Popen(
        [sys.executable, "-m", "graphmem.cli", "import", "-", "--json"],
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdin
        assert running.stderr
        assert running.stdout
        running.stdin.write(record + "\n")
        running.stdin.flush()
        assert "Reading" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.stdout.read(), running.stderr.read()
    assert running.returncode == 130
    assert "Traceback" not in err
    assert json.loads(out)["exit_code"] == 130
    assert process("import", "-", "--json", given=record).code == 0


def test_a_reader_that_leaves_is_no_traceback(tmp_path):
    command = f"{sys.executable} -m graphmem.cli schema | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.stdout == "{"
    assert done.stderr == ""


@pytest.mark.parametrize("call", [("--help",), ("stats", "--store", "EXAMPLE")], ids=["help", "stats"])
def test_it_takes_under_a_second(process, example, call):
    """Of the processor, so that what else the machine does is not counted."""
    taken = []
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert process(*(example if part == "EXAMPLE" else part for part in call)).code == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(taken) < 1.0
