"""How results look as text: plain columns that can be copied, and nothing that a terminal would obey."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# Recorded page text reaches the terminal: escape sequences, and marks that turn the direction of text, do not.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

#: Longest cell of a table.
CELL = 60


def without_controls(text: str) -> str:
    """``text`` with every control character but newline and tab replaced by a mark."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def short(key: str) -> str:
    """The first characters of a key: enough to type, and nearly always enough to be the only one."""
    tag, _, digits = key.partition(":")
    return f"{tag}:{digits[:10]}" if re.fullmatch("[0-9a-f]{32}", digits) else key


def cut(text: str, width: int = CELL) -> str:
    """``text`` on one line of at most ``width`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"


def columns(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Aligned columns under ``head``; cells are cut."""
    cells = [[cut(_cell(value)) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    lines = [list(head), ["-" * width for width in widths], *cells]
    return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)).rstrip() for line in lines)


def table(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows of a query."""
    if not rows:
        return "No rows."
    return columns(names, ([row.get(name) for name in names] for row in rows))


def counted(numbers: Mapping[str, int]) -> str:
    """``3 tasks, 7 subtasks``; "nothing" where all are zero."""
    return ", ".join(f"{n} {what}" for what, n in numbers.items() if n) or "nothing"


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case bool() | dict() | list() | tuple():
            return json.dumps(value, ensure_ascii=False, default=str)
        case _:
            return str(value)
