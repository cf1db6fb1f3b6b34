"""Playwright scripts in Python, as ``playwright codegen --target python`` writes them and people edit them.

The file is read with ``ast`` and never run. Each function that does something on a page is a recording: ``run`` and the code
of the module go by the file's name, a test by its own. What the code says is followed in a line: names that were given a
constant, helper functions that are handed a page, loops over what is written down. Where it branches on what a page says, or
hands the page to code that is not here (page objects, other modules), the function is refused with the line: a recording is
what was done.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import Any

from graphmem.importers.codegen_walk import FunctionNode, Walk
from graphmem.importers.making import WrongStep, in_words, made
from graphmem.importers.records import Wrong, inside
from graphmem.importers.shape import text_of
from graphmem.importers.source import Refusal, Source
from graphmem.model.trajectory import Trajectory

MOST_BYTES = 4 << 20
_PYTHON = re.compile(
    r"^\s*(from playwright\.(a?sync)_api import|import playwright\b)|^\s*(async )?def \w+\([^)]*\b(page|playwright)\b",
    re.MULTILINE,
)
_CALLS = re.compile(r"\.(goto|get_by_\w+|getBy\w+|locator|click|fill)\(")
_OTHER = re.compile(
    r"@playwright/test|\brequire\(['\"]playwright|from ['\"]playwright|Microsoft\.Playwright|com\.microsoft\.playwright|"
    r"async \(\{[^}]*\bpage\b"
)
#: Names that codegen gives, which say nothing about the task.
_NO_TASK = frozenset({"run", "main", "test", "test example", "test run", "test main", "scrape"})


class PlaywrightCodegenImporter:
    name = "playwright-codegen"

    def sniff(self, head: bytes, name: str) -> float:
        text = text_of(head)
        if text.lstrip("\ufeff \t\r\n").startswith(("{", "[", "<")):
            return 0.0
        if _OTHER.search(text) and _CALLS.search(text):
            return 0.9
        return 0.95 if _PYTHON.search(text) and "playwright" in text and _CALLS.search(text) else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        try:
            module = _parsed(source)
        except WrongStep as error:
            yield Refusal(source.name, error.place, error.reason)
            return
        except Wrong as error:
            yield Refusal(source.name, "", str(error))
            return
        yield from _recordings(source, module)


def _parsed(source: Source) -> ast.Module:
    data = source.stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Wrong(f"is a program of more than {MOST_BYTES >> 20} MiB.")
    try:
        text = data.decode(source.encoding())
    except UnicodeDecodeError:
        raise Wrong("holds bytes that are not UTF-8.") from None
    if _OTHER.search(text) and not _PYTHON.search(text):
        raise Wrong(
            "is a Playwright script in another language than Python. Record it again with"
            " 'playwright codegen --target python', or bring the trace of a run."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning would print the line that it is about
            return ast.parse(text)
    except SyntaxError as error:
        raise WrongStep(f"line {error.lineno or 1}", "is not valid Python.") from None
    except (ValueError, RecursionError, MemoryError):
        raise Wrong("is not valid Python.") from None


def _recordings(source: Source, module: ast.Module) -> Iterator[Trajectory | Refusal]:
    functions = list(_functions(module))
    local = {function.name: function for function in functions}
    found = 0
    for function in [*functions, None]:
        if function and any("fixture" in ast.dump(decorator) for decorator in function.decorator_list):
            continue
        walk = Walk(local)
        try:
            steps = walk.function(function) if function else walk.module(module)
            if not steps:
                continue
            yield _trajectory(source, function, steps, ast.dump(function or module))
        except WrongStep as error:
            yield Refusal(source.name, error.place, error.reason)
        except Wrong as error:
            yield Refusal(source.name, inside(f"line {function.lineno}" if function else ""), str(error))
        except RecursionError:
            yield Refusal(source.name, f"line {function.lineno if function else 1}", "is nested too deep.")
        found += 1
    if not found:
        yield Refusal(source.name, "", "is a Playwright script, but no function in it does anything on a page.")


def _functions(module: ast.Module) -> Iterator[FunctionNode]:
    """Functions of the module, and tests of its classes. Methods of other classes are page objects: called, not recorded."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            methods = (n for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
            yield from (method for method in methods if method.name.startswith("test"))


def _trajectory(source: Source, function: FunctionNode | None, steps: list[dict[str, Any]], code: str) -> Trajectory:
    record: dict[str, Any] = {
        "task": _task(source, function),
        "steps": steps,
        "source": {"tool": "playwright-codegen", "file": source.file},
    }
    return made(record, [function.name if function else "", steps, len(code)])


def _task(source: Source, function: FunctionNode | None) -> str:
    """The first line of the docstring, the function's name, or that of the file where the name says nothing."""
    said = (ast.get_docstring(function) or "").strip().partition("\n")[0] if function else ""
    name = in_words(function.name) if function else ""
    own = "" if name in _NO_TASK else name.removeprefix("test ")
    task = said or own or in_words(source.stem) or name
    if not task:
        raise Wrong("has no name, and there is no file name to use as one.")
    return task
