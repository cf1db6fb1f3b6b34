"""Selenium IDE's older files: a test as an HTML table of three columns (command, target, value), tidy or not.

A table is read into the form of a ``.side`` project, so that both mean the same. A suite is a table of one column that only
names other files: it is refused with that reason.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from graphmem.importers.records import Wrong
from graphmem.importers.source import Source

#: No table that a person recorded is longer (characters).
MOST_CHARACTERS = 8 << 20
_COMMAND = re.compile(
    r"<td[^>]*>\s*(open|click(AndWait)?|type(AndWait)?|select(AndWait)?|(assert|verify|waitFor)[A-Z]\w+)\s*</td",
    re.IGNORECASE,
)
_SIGN = re.compile(r"selenium\.base|profiles/test-case|selenium-ide\.openqa\.org|seleniumhq", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n]+")


def looks_like_a_table(text: str) -> bool:
    """Whether the first characters of a file are a Selenese table, or a suite of them."""
    start = text.lstrip("\ufeff \t\r\n")
    if not start.startswith("<") or "<table" not in start.lower():
        return False
    return bool(_SIGN.search(start) or _COMMAND.search(start) or 'id="suiteTable"' in start)


def table_project(source: Source) -> dict[str, Any]:
    """The table of a source as a project of one test. Wrong when there is none in it."""
    data = source.stream.read(MOST_CHARACTERS + 1)
    if len(data) > MOST_CHARACTERS:
        raise Wrong(f"is longer than {MOST_CHARACTERS >> 20} million characters.")
    page = _Page()
    page.feed(data.decode(source.encoding(), "replace"))
    page.close()
    page.end_row()
    if page.is_suite:
        raise Wrong("is a Selenese suite, which only names the files of its tests: bring those.")
    if not page.rows:
        raise Wrong("is HTML without a Selenese table: no row has a command, a target and a value.")
    commands = [{"command": _plain(row[0]), "target": row[1], "value": row[2], "targets": []} for row in page.rows]
    return {"name": page.title, "url": page.base, "tests": [{"name": page.title, "commands": commands}]}


def _plain(command: str) -> str:
    """``clickAndWait`` is a click: waiting for the page goes without saying."""
    return command.removesuffix("AndWait")


class _Page(HTMLParser):
    """Collects rows of three cells. Cells and rows need not be closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.title = ""
        self.base = ""
        self._links = 0
        self._row: list[str] | None = None
        self._in_title = False
        self._cell = False

    @property
    def is_suite(self) -> bool:
        return bool(self._links) and not self.rows

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "title":
            self._in_title = True
        elif tag == "link" and given.get("rel", "").lower() == "selenium.base":
            self.base = given.get("href", "")
        elif tag == "a" and self._cell:
            self._links += 1
        elif tag == "tr":
            self.end_row()
            self._row = []
        elif tag == "td" and self._row is not None:
            self._row.append("")
            self._cell = True
        elif tag == "br" and self._cell and self._row:
            self._row[-1] += "\n"

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif tag == "td":
            self._cell = False
        elif tag in ("tr", "tbody", "table"):
            self.end_row()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title = " ".join((self.title + data).split())
        elif self._cell and self._row:
            self._row[-1] += data

    def end_row(self) -> None:
        row, self._row, self._cell = self._row, None, False
        if row is not None and len(row) in (2, 3):
            cells = [_SPACE.sub(" ", cell).strip() for cell in row] + [""]
            if cells[0]:
                self.rows.append(cells[:3])
