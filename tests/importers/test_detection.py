"""Which importer reads what: by content, never by name, and never by guessing between two."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import graphmem.importers as door
from graphmem.errors import NotFound
from graphmem.importers import Refusal, Source, importers, read
from graphmem.model.trajectory import Step, Trajectory

NEUTRAL = {"task": "Find it", "steps": [{"op": "click", "target": {"attributes": {"type": "submit"}}}]}
CHROME = {"title": "Find it", "steps": [{"type": "navigate", "url": "https://a.example/"}]}
MIND2WEB = {
    "website": "a",
    "confirmed_task": "Find it",
    "action_reprs": ["[link]  Go -> CLICK"],
    "actions": [{"operation": {"op": "CLICK", "value": ""}, "pos_candidates": []}],
}


def put(folder: Path, name: str, data: bytes | Any) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def reason(path: Path | str, **how: Any) -> str:
    (found,) = read([path], **how)
    assert isinstance(found, Refusal), found
    return found.reason


@pytest.mark.parametrize(("record", "name"), [(NEUTRAL, "jsonl"), (CHROME, "chrome-recorder"), (MIND2WEB, "mind2web")])
def test_a_format_is_told_from_the_content_whatever_the_file_is_called(
    tmp_path: Path, record: dict[str, Any], name: str
) -> None:
    scores = {each.name: each.sniff(json.dumps(record).encode(), "x") for each in importers().values()}
    assert max(scores, key=lambda key: scores[key]) == name
    (found,) = read([put(tmp_path, "recording.txt", record)])
    assert isinstance(found, Trajectory), found
    assert found.task == "Find it"


def test_two_formats_that_fit_equally_are_an_error_that_names_them(tmp_path: Path) -> None:
    path = put(tmp_path, "a.json", {"title": "x", "steps": []})
    assert "chrome-recorder, jsonl" in reason(path)
    assert "--format" in reason(path)
    (told,) = read([path], format="jsonl")
    assert isinstance(told, Trajectory)


def test_a_format_that_is_told_is_used_whatever_the_content(tmp_path: Path) -> None:
    assert "list of actions" in reason(put(tmp_path, "a.json", NEUTRAL), format="mind2web")


def test_a_format_that_nobody_reads_is_an_error_that_lists_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="chrome-recorder, jsonl, mind2web"):
        read([tmp_path], format="selenium")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b" \n\t ", "empty"),
        (gzip.compress(b"", mtime=0), "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG image"),
        (b"PK\x03\x04rest", "zip archive"),
        (bytes(range(256)) * 4, "binary"),
        (b"\0", "binary"),
        (gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0), "gzip inside gzip"),
        (gzip.compress(json.dumps(NEUTRAL).encode() * 9, mtime=0)[:40], "cut off"),
        (b"\x1f\x8bnot gzip at all", "damaged"),
        (json.dumps(NEUTRAL).encode("utf-16"), "UTF-16 text, and JSON is UTF-8"),
        (json.dumps(NEUTRAL).encode("utf-16-le"), "UTF-16"),
        (json.dumps(NEUTRAL).encode("utf-32-be"), "UTF-32"),
        (b'{"tests": [{"commands": []}]}', "Selenium IDE"),
        (b'{"history": [{"model_output": {}}]}', "browser-use"),
        (b'{"name": "x", "steps": [{"type": "click"}], "input_schema": []}', "workflow-use"),
        (b'{"custom": "json"}', "not a recording"),
        (b"[1, 2]", "not a recording"),
        (b"[]", "not a recording"),
        ("Grüezi".encode("latin-1"), "text"),
    ],
)
def test_what_is_no_recording_is_refused_for_what_it_is(tmp_path: Path, data: bytes, says: str) -> None:
    assert says in reason(put(tmp_path, "a.json", data))


def test_a_stray_zero_byte_loses_its_own_line_alone(tmp_path: Path) -> None:
    line = json.dumps(NEUTRAL).encode()
    found = list(read([put(tmp_path, "a.jsonl", b"\n".join([line, line.replace(b"Find", b"Fi\0d"), line]))]))
    assert [type(item) for item in found] == [Trajectory, Refusal, Trajectory]


def test_a_damaged_first_line_does_not_hide_the_format_of_the_others(tmp_path: Path) -> None:
    lines = json.dumps(NEUTRAL)[:20] + "\n" + json.dumps(NEUTRAL)
    assert [type(item) for item in read([put(tmp_path, "a", lines.encode())])] == [Refusal, Trajectory]


def test_folders_are_read_in_order_without_what_is_hidden(tmp_path: Path) -> None:
    for name in ("b/2.json", "a/1.json", "c.json", ".git/x.json", "a/.hidden.json"):
        put(tmp_path, name, NEUTRAL | {"task": name})
    told: list[tuple[int, int, str]] = []
    found = list(read([tmp_path], on_progress=lambda *said: told.append(said)))
    assert [item.task for item in found if isinstance(item, Trajectory)] == ["c.json", "a/1.json", "b/2.json"]
    assert [(done, total) for done, total, _ in told] == [(0, 3), (1, 3), (2, 3)]


def test_a_folder_without_files_and_a_file_that_is_not_there_are_refusals(tmp_path: Path) -> None:
    assert "folder without files" in reason(tmp_path)
    assert "does not exist" in reason(tmp_path / "nowhere.json")


def test_a_file_that_may_not_be_read_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> Any:
        raise PermissionError(name)

    monkeypatch.setattr(door, "open_source", refuse)
    assert "may not be read" in reason(put(tmp_path, "a.json", NEUTRAL))


def test_a_minus_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(gzip.compress(json.dumps(NEUTRAL).encode())))
    monkeypatch.setattr(sys, "stdin", stdin)
    (found,) = read(["-"])
    assert isinstance(found, Trajectory)
    assert found.source == "{}"


def test_every_importer_is_registered_by_entry_point_under_its_own_name() -> None:
    assert {name: importer.name for name, importer in importers().items()} == {name: name for name in importers()}
    assert {"jsonl", "chrome-recorder", "mind2web"} <= set(importers())


class _Diary:
    name = "diary"

    def sniff(self, head: bytes, name: str) -> float:
        return 1.0 if head.startswith(b"dear diary") else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        for line in source.stream:
            yield Trajectory(line.decode().strip(), (Step("wait"),))


class _Point:
    def __init__(self, name: str, what: Any) -> None:
        self.name, self._what = name, what

    def load(self) -> Any:
        if isinstance(self._what, Exception):
            raise self._what
        return self._what


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[_Point]]:
    points: list[_Point] = []
    monkeypatch.setattr(door, "entry_points", lambda group: points)
    door.importers.cache_clear()
    yield points
    door.importers.cache_clear()


def test_an_importer_of_another_package_is_found_by_its_entry_point(tmp_path: Path, plugins: list[_Point]) -> None:
    plugins.append(_Point("diary", _Diary))
    found = list(read([put(tmp_path, "a", b"dear diary\nbuy milk\n")]))
    assert [item.task for item in found if isinstance(item, Trajectory)] == ["dear diary", "buy milk"]


def test_an_importer_that_cannot_be_loaded_is_told_and_the_others_still_read(
    tmp_path: Path, plugins: list[_Point]
) -> None:
    plugins.append(_Point("broken", ImportError("no such thing")))
    with pytest.warns(UserWarning, match="broken"):
        (found,) = read([put(tmp_path, "a", NEUTRAL)])
    assert isinstance(found, Trajectory)
