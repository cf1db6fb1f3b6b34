"""What a Selenium IDE test does, in order: its control flow unrolled, its variables filled in, the tests that it runs inlined.

Nothing is evaluated. ``times`` and ``forEach`` over what the test itself wrote down are unrolled, and ``if true`` is taken. A
branch or loop that hangs on what a page said is dropped where its body does nothing in the browser (it checks, stores or
prints), and refuses the test where it does: which way was gone was not recorded. A variable that is known stands for its
value; any other is kept as a slot, ``{user_name}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphmem.importers.making import MOST_STEPS, WrongStep, called, text_at
from graphmem.importers.python_literals import literal
from graphmem.importers.records import Wrong

_VARIABLE = re.compile(r"\$\{([^${}]+)\}")
_RETURN = re.compile(r"\s*return\s+(.+?)\s*;?\s*", re.DOTALL)
_OPENS = frozenset({"if", "while", "times", "forEach", "do"})
_BRANCHES = frozenset({"else", "elseIf"})
_CLOSES = {"end": _OPENS - {"do"}, "repeatIf": frozenset({"do"})}
_STORES = ("store", "executeScript", "executeAsyncScript", "runScript")
#: Commands that do nothing to a page, by how their names begin.
_INERT = (
    "assert",
    "verify",
    "store",
    "echo",
    "executeScript",
    "executeAsyncScript",
    "debugger",
    "pause",
    "waitFor",
    "setSpeed",
)
MOST_ROUNDS = 200
MOST_DEPTH = 20


@dataclass(frozen=True)
class Test:
    """A test as recorded: its name, and its commands as JSON objects."""

    name: str
    commands: tuple[Any, ...]


@dataclass(frozen=True)
class Command:
    """One command with its variables filled in. ``others``: further locators of its target, as recorded."""

    place: str
    name: str
    target: str = ""
    value: str = ""
    others: tuple[str, ...] = ()
    window: str = ""


@dataclass
class _Block:
    """A control command: its branches, each with the command at its head."""

    head: Command
    branches: list[tuple[Command, list[Any]]] = field(default_factory=list)


def command_of(raw: Any, place: str) -> Command | None:
    """A recorded command; None for one that is empty or disabled by ``//``. WrongStep when it has another form."""
    try:
        if not isinstance(raw, dict):
            raise Wrong("is not an object with a command.")
        name = text_at(raw, "command").strip()
        if not name or name.startswith("//"):
            return None
        # "other" keys appear where the recorder lost its first choice of locator
        others = [pair[0] for key in ("targets", "fallbackTargets") for pair in _pairs(raw.get(key))]
        window = text_at(raw, "windowHandleName") if raw.get("opensWindow") else ""
        return Command(place, name, text_at(raw, "target").strip(), text_at(raw, "value"), tuple(others), window)
    except Wrong as error:
        raise WrongStep(place, str(error)) from None


def _pairs(targets: Any) -> list[list[str]]:
    if targets is None:
        return []
    if not isinstance(targets, list) or not all(isinstance(p, list) and p and isinstance(p[0], str) for p in targets):
        raise Wrong("'targets' must be a list of pairs of text.")
    return targets


class Flow:
    """One walk through a test. ``tests``: those that ``run`` may name."""

    def __init__(self, tests: Mapping[str, Test]) -> None:
        self._tests = tests
        self._known: dict[str, Any] = {}
        self._count = 0

    def commands(self, test: Test, depth: int = 0, before: str = "") -> Iterator[Command]:
        """The commands that act or check, in the order in which they were done."""
        numbered = ((raw, f"{before}command {number}") for number, raw in enumerate(test.commands, 1))
        yield from self._walk(_tree([c for raw, place in numbered if (c := command_of(raw, place))]), depth)

    def _walk(self, nodes: Sequence[Command | _Block], depth: int) -> Iterator[Command]:
        for node in nodes:
            if isinstance(node, _Block):
                yield from self._block(node, depth)
                continue
            self._count += 1
            if self._count > MOST_STEPS:
                raise WrongStep(node.place, f"has more than {MOST_STEPS:,} commands once its loops are unrolled.")
            command = self._filled(node)
            if command.name == "run":
                yield from self._run(command, depth)
                continue
            self._remember(node, command)
            yield command

    def _run(self, command: Command, depth: int) -> Iterator[Command]:
        test = self._tests.get(command.target)
        if test is None:
            raise WrongStep(command.place, "runs a test that is not in this project, or itself.")
        if depth >= MOST_DEPTH:
            raise WrongStep(command.place, "runs tests that run each other without end.")
        yield from self.commands(test, depth + 1, f"{command.place}, ")

    def _block(self, block: _Block, depth: int) -> Iterator[Command]:
        bodies = self._bodies(block)
        if bodies is None:
            self._skip(block)
            return
        for body, variable, value in bodies:
            if variable:
                self._known[variable] = value
            yield from self._walk(body, depth)

    def _bodies(self, block: _Block) -> list[tuple[list[Any], str, Any]] | None:
        """The bodies that are done, in order, each with a variable to set; None where nobody knows."""
        head = block.head
        if head.name == "times":
            rounds = self._fill(head.target).strip()
            known = rounds.isdigit() and len(rounds) < 6
            return self._rounds(block, [("", None)] * int(rounds)) if known else None
        if head.name == "forEach":
            items = self._known.get(head.target)
            return self._rounds(block, [(head.value, item) for item in items]) if isinstance(items, list) else None
        if head.name != "if":
            return None
        for condition, body in block.branches:
            verdict = "true" if condition.name == "else" else self._fill(condition.target).strip()
            if verdict == "true":
                return [(body, "", None)]
            if verdict != "false":
                return None
        return []

    def _rounds(self, block: _Block, each: list[tuple[str, Any]]) -> list[tuple[list[Any], str, Any]]:
        if len(each) > MOST_ROUNDS:
            raise WrongStep(block.head.place, f"is a loop of more than {MOST_ROUNDS} rounds.")
        return [(block.branches[0][1], variable, value) for variable, value in each]

    def _skip(self, block: _Block) -> None:
        """Pass a block of which nobody knows whether it was done; what it stores is not known afterwards."""
        for inner in _inner(block):
            if not inner.name.startswith(_INERT):
                reason = "does steps that hang on what the page says ({}): a recording is what was done, in a line."
                raise WrongStep(block.head.place, reason.format(block.head.name))
            self._known.pop(_stored(inner), None)

    def _filled(self, command: Command) -> Command:
        if command.name in ("executeScript", "executeAsyncScript", "runScript"):
            return command
        target, value = self._fill(command.target), self._fill(command.value)
        return replace(command, target=target, value=value, others=tuple(self._fill(other) for other in command.others))

    def _fill(self, text: str) -> str:
        """``text`` with the variables that are known as their values. Keys, ``${KEY_ENTER}``, stay."""
        return _VARIABLE.sub(self._value, text)

    def _value(self, match: re.Match[str]) -> str:
        name = match[1].strip()
        if name.startswith("KEY_"):
            return match[0]
        owner, _, part = name.partition(".")
        value = self._known.get(name, self._known.get(owner))
        if part and isinstance(value, dict):
            value = value.get(part)
        return _as_text(value) if isinstance(value, str | int | float) else f"{{{called(name)}}}"

    def _remember(self, recorded: Command, command: Command) -> None:
        variable = _stored(recorded)
        if not variable:
            return
        self._known.pop(variable, None)
        if command.name == "store":
            self._known[variable] = command.target
        elif command.name == "executeScript" and (match := _RETURN.fullmatch(command.target)):
            value = _constant(match[1])
            if value is not None:
                self._known[variable] = value


def _stored(command: Command) -> str:
    """The variable that a command sets. ``storeTitle`` and ``storeWindowHandle`` have it in the target of old files."""
    if not command.name.startswith(_STORES):
        return ""
    return command.value or (command.target if command.name in ("storeTitle", "storeWindowHandle") else "")


def _constant(text: str) -> Any:
    """A value that a script wrote down as it is; None for one that it works out."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return literal(text)


def _as_text(value: str | int | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _tree(commands: Sequence[Command]) -> list[Command | _Block]:
    """Control commands with what stands in them. WrongStep where their ends do not match."""
    top: list[Any] = []
    bodies = [top]
    open_blocks: list[_Block] = []
    for command in commands:
        if command.name in _OPENS:
            block = _Block(command, [(command, [])])
            bodies[-1].append(block)
            open_blocks.append(block)
            bodies.append(block.branches[0][1])
        elif command.name in _BRANCHES or command.name in _CLOSES:
            if not open_blocks or open_blocks[-1].head.name not in _CLOSES.get(command.name, {"if"}):
                raise WrongStep(command.place, f"is an {command.name!r} that belongs to nothing.")
            bodies.pop()
            if command.name in _BRANCHES:
                open_blocks[-1].branches.append((command, []))
                bodies.append(open_blocks[-1].branches[-1][1])
            else:
                open_blocks.pop()
        else:
            bodies[-1].append(command)
    if open_blocks:
        raise WrongStep(open_blocks[-1].head.place, f"is a {open_blocks[-1].head.name!r} without its end.")
    return top


def _inner(block: _Block) -> Iterator[Command]:
    for _, body in block.branches:
        for node in body:
            yield from _inner(node) if isinstance(node, _Block) else (node,)
