"""Two hundred malformed files, made by a seeded mutator: each is read or refused with a reason, and nothing is raised."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem.importers import Refusal, read
from graphmem.importers.schema import json_schema
from graphmem.model.trajectory import Trajectory, trajectory_to_json

DEMO = Path(__file__).parents[2] / "graphmem" / "demo_data"
NATIVE = {
    "website": "a",
    "domain": "Travel",
    "annotation_id": "x",
    "confirmed_task": "Find it",
    "action_reprs": ["[searchbox]  Where -> TYPE: Boston", "[button]  Go -> CLICK"],
    "actions": [
        {
            "operation": {"original_op": "TYPE", "op": "TYPE", "value": "Boston"},
            "pos_candidates": [
                {"tag": "input", "attributes": '{"backend_node_id": "1", "name": "q"}', "is_original_target": True}
            ],
        },
        {"operation": {"original_op": "CLICK", "op": "CLICK", "value": ""}, "pos_candidates": []},
    ],
}

Fixture = tuple[str, bytes]
Mutation = Callable[[random.Random, bytes], bytes]


def fixtures() -> list[Fixture]:
    rail = (DEMO / "northrail.jsonl").read_bytes().splitlines(keepends=True)
    small = sorted(rail, key=len)[:2]
    recorder = min((DEMO / "recorder").glob("*.json"), key=lambda path: path.stat().st_size).read_bytes()
    return [
        ("neutral.jsonl", b"".join(small)),
        ("recorder.json", recorder),
        ("native.json", json.dumps([NATIVE, NATIVE]).encode()),
    ]


def truncated(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def beheaded(rng: random.Random, data: bytes) -> bytes:
    return data[rng.randrange(1, len(data)) :]


def flipped(rng: random.Random, data: bytes) -> bytes:
    mutable = bytearray(data)
    for _ in range(rng.randrange(1, 9)):
        mutable[rng.randrange(len(mutable))] = rng.randrange(256)
    return bytes(mutable)


def replaced(rng: random.Random, data: bytes) -> bytes:
    """One JSON value, anywhere, becomes one of another type."""
    text = data.decode()
    documents = [json.loads(line) for line in text.splitlines()] if text.count("\n{") else [json.loads(text)]
    document = rng.choice(documents)
    holder, key = rng.choice(list(_places(document)))
    holder[key] = rng.choice(
        [None, True, 7, -1.5, "text", "", [], {}, [[]], {"a": 1}, ["x"], 2**70, "\ud800", "x" * 9999]
    )
    return "\n".join(map(json.dumps, documents)).encode()


def renamed(rng: random.Random, data: bytes) -> bytes:
    key = rng.choice([b'"steps"', b'"op"', b'"type"', b'"task"', b'"title"', b'"target"', b'"actions"', b'"operation"'])
    return data.replace(key, key[:-2] + b'q"', rng.randrange(1, 3))


def encoded(rng: random.Random, data: bytes) -> bytes:
    return data.decode().encode(rng.choice(["utf-16", "utf-32", "utf-16-be", "utf-8-sig", "utf-7", "cp037"]))[
        rng.randrange(3) :
    ]


def nested(rng: random.Random, data: bytes) -> bytes:
    depth = rng.choice([99, 101, 5_000, 200_000])
    bomb = rng.choice(
        [b"[" * depth, b"[" * depth + b"]" * depth, b'{"a":' * depth, b'{"a":' * depth + b"1" + b"}" * depth]
    )
    return data.replace(rng.choice([b"[", b'""', b'"value"']), bomb, 1)


def unreal(rng: random.Random, data: bytes) -> bytes:
    number = rng.choice(
        [b"NaN", b"Infinity", b"-Infinity", b"1e400", b"9" * 6000, b"-0.0", b"1E5", b"\\ud800", b"\x00"]
    )
    return data.replace(b'"', number, 1) if rng.random() < 0.3 else data.replace(b": ", b": " + number + b",", 2)


def binary(rng: random.Random, data: bytes) -> bytes:
    return rng.choice([rng.randbytes(400), b"\x89PNG\r\n\x1a\n" + rng.randbytes(99), b"\0" * 100, b"\x80" * 9])


def empty(rng: random.Random, data: bytes) -> bytes:
    return rng.choice([b"", b"\n\n", b"[]", b"{}", b"null", b"0", b'""', b"\xef\xbb\xbf", b"[[]]", b"\r"])


def zipped(rng: random.Random, data: bytes) -> bytes:
    packed = bytearray(gzip.compress(data, mtime=0))
    packed[rng.randrange(10, len(packed))] ^= 1 << rng.randrange(8)
    return bytes(packed[: rng.randrange(4, len(packed))]) if rng.random() < 0.5 else bytes(packed)


MUTATIONS: tuple[Mutation, ...] = (
    truncated,
    beheaded,
    flipped,
    replaced,
    replaced,
    renamed,
    encoded,
    nested,
    unreal,
    binary,
    empty,
    zipped,
)


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield node, key
        if isinstance(value, dict | list):
            yield from _places(value)


def malformed(count: int = 200, seed: int = 7) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of ``count`` files; the same ones for the same seed."""
    rng = random.Random(seed)
    originals = fixtures()
    for number in range(count):
        name, data = originals[number % len(originals)]
        mutation = MUTATIONS[number // len(originals) % len(MUTATIONS)]
        yield f"{number:03}-{mutation.__name__}-{name}", mutation(rng, data)


@pytest.mark.parametrize("told", [None, "jsonl", "chrome-recorder", "mind2web"])
def test_two_hundred_malformed_files_raise_nothing_and_are_read_or_refused(tmp_path: Path, told: str | None) -> None:
    read_or_refused = [0, 0]
    for name, data in malformed():
        path = tmp_path / name
        path.write_bytes(data)
        found = list(read([path], format=told))
        assert found, f"{name} was passed over in silence"
        for item in found:
            read_or_refused[isinstance(item, Refusal)] += 1
            if isinstance(item, Refusal):
                assert item.file == str(path)
                assert item.reason.endswith((".", "?")), item
                assert len(item.reason) < 700, item
            else:
                json.dumps(trajectory_to_json(item), allow_nan=False, ensure_ascii=False).encode()
    assert read_or_refused[1] > 100


def test_what_the_json_schema_rejects_is_never_read_in_silence(tmp_path: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema())
    rejected = 0
    for name, data in malformed(600, seed=11):
        if not name.endswith("neutral.jsonl"):
            continue
        path = tmp_path / name
        path.write_bytes(data)
        if not _is_valid(data, validator):
            rejected += 1
            assert any(isinstance(item, Refusal) for item in read([path])), name
    assert rejected > 100


def _is_valid(data: bytes, validator: Any) -> bool:
    """By a reader of its own: every line, or the whole, is JSON that the schema accepts."""
    try:
        text = data.decode("utf-8-sig")
        lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return False
    records = lines[0] if len(lines) == 1 and isinstance(lines[0], list) else lines
    try:
        return bool(records) and all(validator.is_valid(record) for record in records)
    except RecursionError:
        return False


def test_the_good_record_beside_a_bad_one_is_the_same_as_without_it(tmp_path: Path) -> None:
    _, data = fixtures()[0]
    first, second = data.splitlines()
    whole = tmp_path / "whole.jsonl"
    whole.write_bytes(data)
    keys = [item.key for item in read([whole]) if isinstance(item, Trajectory)]
    rng = random.Random(3)
    for number in range(40):
        cut = tmp_path / f"{number}.jsonl"
        cut.write_bytes(first[: rng.randrange(1, len(first))] + b"\n" + second)
        found = list(read([cut], format="jsonl"))
        assert [item.key for item in found if isinstance(item, Trajectory)] == keys[1:]
        assert any(isinstance(item, Refusal) for item in found)
