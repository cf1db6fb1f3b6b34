"""Selenium IDE: a ``.side`` project, ``{url, tests: [{name, commands: [{command, target, targets, value}]}]}``, or an older
Selenese table in HTML. Every test of a project is a recording of its own.

A test is a program, a recording is what was done: so ``selenium_flow`` unrolls what is known beforehand, and refuses a test in
which steps hang on what a page says. The task is the test's name; that of the project where a test has only a default one.
Commands that check, store, print or pause are kept in ``extra`` by the number of the command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.importers.making import WrongStep, in_words, made, text_at
from graphmem.importers.records import Record, Wrong, inside, records
from graphmem.importers.selenese_html import looks_like_a_table, table_project
from graphmem.importers.selenium_commands import Reading
from graphmem.importers.selenium_flow import Command, Flow, Test
from graphmem.importers.shape import keys_of, text_of
from graphmem.importers.source import Refusal, Source
from graphmem.model.trajectory import Trajectory

_COMMANDS = re.compile(r'"command"\s*:')
_DEFAULT_NAME = re.compile(r"(untitled|new test|test)( ?\d*)?", re.IGNORECASE)


class SeleniumIdeImporter:
    name = "selenium-ide"

    def sniff(self, head: bytes, name: str) -> float:
        keys = keys_of(head)
        if "tests" in keys and keys & {"commands", "suites", "plugins"}:
            return 0.95
        if _COMMANDS.search(text_of(head)) and {"target", "targets"} <= keys:
            return 0.6
        return 0.9 if looks_like_a_table(text_of(head)) else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        if text_of(source.head).lstrip("\ufeff \t\r\n").startswith("<"):
            yield from _table(source)
            return
        for record in records(source):
            yield from [record] if isinstance(record, Refusal) else _project(source, record)


def _table(source: Source) -> Iterator[Trajectory | Refusal]:
    try:
        yield from _project(source, Record("", table_project(source)))
    except Wrong as error:
        yield Refusal(source.name, "", str(error))


def _project(source: Source, record: Record) -> Iterator[Trajectory | Refusal]:
    try:
        tests = _tests(record.value)
    except Wrong as error:
        yield Refusal(source.name, record.place, str(error))
        return
    for number, test in enumerate(tests, 1):
        place = inside(record.place, f"test {number}")
        try:
            yield _trajectory(source, record.value, test, tests)
        except WrongStep as error:
            yield Refusal(source.name, inside(place, error.place), error.reason)
        except Wrong as error:
            yield Refusal(source.name, place, str(error))


def _tests(raw: Any) -> list[Test]:
    if not isinstance(raw, dict) or not isinstance(raw.get("tests"), list):
        raise Wrong("is JSON, but not a Selenium IDE project: it has no list of tests.")
    if not raw["tests"]:
        raise Wrong("is a Selenium IDE project without tests.")
    return [_test(test, number) for number, test in enumerate(raw["tests"], 1)]


def _test(raw: Any, number: int) -> Test:
    if not isinstance(raw, dict) or not isinstance(raw.get("commands"), list):
        raise Wrong(f"has a test {number} without a list of commands.")
    return Test(text_at(raw, "name"), tuple(raw["commands"]))


def _trajectory(source: Source, project: Mapping[str, Any], test: Test, tests: list[Test]) -> Trajectory:
    if not test.commands:
        raise Wrong("has no commands: a Selenium IDE test without steps.")
    base = text_at(project, "url")
    reading = Reading(base)
    flow = Flow({each.name: each for each in tests if each is not test})
    for command in flow.commands(test):
        _take(reading, command)
    steps, aside = reading.done()
    kept = {key: text_at(project, key) for key in ("version", "url") if project.get(key)}
    record: dict[str, Any] = {
        "task": _task(source, text_at(project, "name"), test.name),
        "steps": steps,
        "source": {"tool": "selenium-ide", "file": source.file},
        "extra": {"selenium": kept | ({"commands": aside} if aside else {})},
    }
    return made(record, [test.name, base, list(test.commands), steps])


def _take(reading: Reading, command: Command) -> None:
    try:
        reading.take(command)
    except Wrong as error:
        raise WrongStep(command.place, str(error)) from None


def _task(source: Source, project: str, test: str) -> str:
    """The first name that a person gave: of the test, the project, the file."""
    names = (" ".join(name.split()) for name in (test, project, source.stem))
    given = [name for name in names if name]
    task = next((name for name in given if not _DEFAULT_NAME.fullmatch(name)), next(iter(given), ""))
    if not task:
        raise Wrong("has no name, and there is no file name to use as one.")
    return in_words(task)
