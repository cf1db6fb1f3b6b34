"""A dump fills an empty store of either kind with the same graph, and nothing that is no dump is let in."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import asked, neo4j_server
from support.dump import dump as whole

from graphmem import Memory
from graphmem.errors import InputError, StoreConflict, StoreError, StoreMismatch, UsageError
from graphmem.model.graph import Node
from graphmem.store import Store, derived, open_store, rows
from graphmem.store.dump import check, dump, restore
from graphmem.store.dump_text import End, Header, literal, node_line, parse
from graphmem.store.stats import stats
from graphmem.store.verify import verify
from graphmem_queries import Query, load

DEMO = Path(str(files("graphmem").joinpath("demo_data")))
HEAD = Header("2027-01-01T00:00:00Z", 1)
_ALL = "MATCH (n) WHERE n.key <> 'store' RETURN labels(n)[0] AS label, properties(n) AS p, n.key AS key ORDER BY label, key"
EVERYTHING = Query("test", "with history and bookkeeping", (), (("", _ALL),))


@pytest.fixture(scope="module")
def text() -> str:
    """A dump of the worked example."""
    store = open_store("memory:")
    asked.fill(store)
    written = "".join(dump(store))
    store.close()
    return written


@pytest.fixture
def file(text: str, tmp_path: Path) -> Path:
    path = tmp_path / "dump.cypher"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def empty() -> Iterator[Store]:
    store = open_store("memory:")
    yield store
    store.close()


def held(store: Store, *passing: str) -> list[Any]:
    """Every node, history and bookkeeping too, but for the locks, when it was written, what is kept in short beside the graph
    and is no part of it, and what else is ``passing``."""
    found = store.read(EVERYTHING)
    passing = (*passing, "updated", "lock", "calls", "rest", "gone")
    return [(r["label"], {k: v for k, v in r["p"].items() if k not in passing and v is not None}) for r in found]


# -- there and back ----------------------------------------------------------------------------------------------------


def test_a_dump_of_either_store_fills_the_other_with_the_same_graph(store: Store, file: Path, tmp_path: Path) -> None:
    """From embedded into ``store`` (each kind), and from there into an embedded one."""
    restore(store, file)
    again = tmp_path / "again.cypher"
    again.write_text("".join(dump(store)), encoding="utf-8")
    first, last = open_store("memory:"), open_store("memory:")
    try:
        asked.fill(first)
        restore(last, again)
        assert whole(first) == whole(store) == whole(last)
        assert held(store) == held(last)
        assert held(first, "created") == held(last, "created")
        assert stats(first) == stats(store) == stats(last)
        assert verify(store) == verify(last) == {**verify(first), "ok": True}
        assert derived.settings(store) == {"inducer": "graph"}
        lines = [path.read_text(encoding="utf-8").split("\n")[1:] for path in (file, again)]
        same_but_for_the_time = [re.sub(r'n\.(created|updated) = "[^"]*"', "", "\n".join(part)) for part in lines]
        assert same_but_for_the_time[0] == same_but_for_the_time[1]
    finally:
        first.close()
        last.close()


@pytest.mark.neo4j
def test_the_demo_graph_goes_from_a_folder_to_neo4j_with_equal_counts_and_no_faults(
    neo4j_service: neo4j_server.Server, tmp_path: Path
) -> None:
    with (
        Memory.open("memory:") as ours,
        Memory(open_store(neo4j_service.url, environ=neo4j_service.environ())) as theirs,
    ):
        ours.learn(DEMO)
        loaded = theirs.load(ours.dump(tmp_path / "demo.cypher"))
        assert loaded.nodes > 400
        assert theirs.stats() == ours.stats()
        assert theirs.verify() == ours.verify()
        assert ours.verify()["ok"]
        assert whole(theirs.store) == whole(ours.store)
        task = "Train from Ostend to Namur"
        assert theirs.plan(task).to_json() == ours.plan(task).to_json()


def test_what_is_loaded_is_up_to_date_and_learns_on(file: Path, empty: Store) -> None:
    restore(empty, file)
    assert verify(empty)["stale"] == []
    with Memory.open("memory:") as other:
        asked.fill(other.store)
        for memory in (other, Memory(empty)):
            memory.learn(DEMO / "northrail.jsonl")
        assert whole(empty) == whole(other.store)


def test_vectors_go_along_and_are_found(file: Path, empty: Store) -> None:
    restore(empty, file)
    assert len(Memory(empty).query("similar_tasks", vector=[1.0, 24.0]).rows) == 4


def test_a_dump_is_cypher_that_the_engine_runs_as_it_stands(store: Store, text: str) -> None:
    for line in text.splitlines():
        statement = Query("test", "", (), (("", line.removesuffix(";")),))
        if not line.startswith("CREATE CONSTRAINT"):  # the schema is there
            store.write(lambda tx, statement=statement: tx.run(statement))
    first = open_store("memory:")
    asked.fill(first)
    assert whole(store) == whole(first)
    first.close()


NASTY = [
    "\\",
    "\\u0041",
    "\\\\u",
    'a"b',
    "'",
    "`",
    "\n\r\t\b\f",
    "\x01\x7f\u2028\u0085",
    "中\U0001f600",
    "] AS row MERGE",
    "; //",
    "$rows",
]


def test_no_text_is_changed_on_its_way(store: Store, tmp_path: Path) -> None:
    """Loaded, and run as Cypher: each gives the text that was there."""
    nodes = [Node("Domain", f"domain:{i}", {"name": text, "list": [text, "x"]}) for i, text in enumerate(NASTY)]
    source = open_store("memory:")
    source.write(lambda tx: rows.put(tx, nodes))
    path = tmp_path / "nasty.cypher"
    path.write_text("".join(dump(source)), encoding="utf-8", newline="\n")
    restore(store, path)
    assert whole(store) == whole(source)
    line = next(
        line for line in path.read_text(encoding="utf-8").split("\n") if "(n:Domain {" in line and "MERGE" in line
    )
    store.write(lambda tx: rows.remove(tx, nodes))
    store.write(lambda tx: tx.run(Query("test", "", (), (("", line.removesuffix(";")),))))
    assert whole(store) == whole(source)
    source.close()


values = st.text(st.characters(exclude_categories=["Cs"])) | st.integers(-(2**63), 2**63 - 1) | st.booleans()
values = values | st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True), values | st.lists(st.text()), max_size=5
    )
)
def test_rows_read_back_as_they_were_written(properties: dict[str, Any]) -> None:
    properties.pop("key", None)
    properties.pop("embedding", None)
    line = node_line("Task", [{"key": "task:1", "properties": properties}], HEAD.written)
    (node,) = parse(line, HEAD)  # type: ignore[misc]
    assert "\n" not in line
    assert (node.label, node.key, node.properties) == ("Task", "task:1", properties)


# -- what is refused ---------------------------------------------------------------------------------------------------


EVIL = [
    "MATCH (n) DETACH DELETE n;",
    "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row;",
    "CREATE CONSTRAINT evil IF NOT EXISTS FOR (n:Evil) REQUIRE n.key IS UNIQUE;",
    "// a comment",
    "",
    'UNWIND [{`key`: "task:1", `properties`: {}}] AS row MATCH (n) DETACH DELETE n;',
    "CALL dbms.listConfig();",
]


@pytest.mark.parametrize("evil", EVIL)
def test_a_line_that_is_none_of_ours_is_refused_with_its_number_and_nothing_is_written(
    text: str, tmp_path: Path, empty: Store, evil: str
) -> None:
    lines = text.splitlines()
    path = tmp_path / "evil.cypher"
    path.write_text("\n".join([*lines[:20], evil, *lines[20:]]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 21: it is none of the statements"):
        restore(empty, path)
    assert not empty.read(load("read/count_nodes"))


GOOD = node_line("Task", [{"key": "task:1", "properties": {"name": "x", "uses": 1}}], HEAD.written)
CHANGED = {
    "a value that is computed": GOOD.replace("`uses`: 1", "`uses`: 1 + 1"),
    "a value that is asked for": GOOD.replace("`uses`: 1", "`uses`: $uses"),
    "a string in single quotes": GOOD.replace('"x"', "'x'"),
    "a space more": GOOD.replace("`uses`: 1", "`uses`:  1"),
    "a comment": GOOD.replace("`uses`: 1", "/* */ `uses`: 1"),
    "a name without back-ticks": GOOD.replace("`uses`", "uses"),
    "a name in quotes": GOOD.replace("`uses`", '"uses"'),
    "a value in back-ticks": GOOD.replace('"x"', "`x`"),
    "a name twice": GOOD.replace("`uses`: 1", "`uses`: 1, `uses`: 1"),
    "a map as a value": GOOD.replace("`uses`: 1", "`uses`: {`a`: 1}"),
    "a list in a list": GOOD.replace("`uses`: 1", "`uses`: [[1]]"),
    "an integer too large": GOOD.replace("`uses`: 1", f"`uses`: {2**63}"),
    "a number that is none": GOOD.replace("`uses`: 1", "`uses`: NaN"),
    "another row of keys": GOOD.replace("`properties`", "`more`"),
    "a key that is no text": GOOD.replace('"task:1"', "1"),
    "a key among the properties": GOOD.replace("`uses`", "`key`"),
    "half a surrogate pair": GOOD.replace('"x"', '"\\ud800"'),
    "a vector": GOOD.replace("`uses`: 1", "`embedding`: [1.0]"),
    "two statements": GOOD + " MATCH (n) DETACH DELETE n;",
    "another label": GOOD.replace("n:Task", "n:Meta"),
    "another time": GOOD.replace("2027", "2028"),
    "no row": "UNWIND 1" + GOOD[GOOD.rindex(" AS row") :],
    "a depth that nobody reads": "UNWIND " + "[" * 100_000 + "]" * 100_000 + GOOD[GOOD.rindex(" AS row") :],
}


@pytest.mark.parametrize("line", CHANGED.values(), ids=CHANGED.keys())
def test_a_line_that_is_changed_in_any_way_is_refused(line: str) -> None:
    assert parse(GOOD, HEAD) == (Node("Task", "task:1", {"name": "x", "uses": 1}),)
    with pytest.raises(ValueError, match=r"."):
        parse(line, HEAD)


def test_a_relationship_without_what_tells_it_apart_is_refused(text: str) -> None:
    line = next(line for line in text.splitlines() if "HAS_STEP" in line)
    head = Header(re.findall(r'dump_written`: "([^"]*)"', text)[0], 1, 2)
    assert parse(line, head)
    with pytest.raises(ValueError, match="HAS_STEP has no index"):
        parse(line.replace("`index`: 0", "`ondex`: 0"), head)


def test_a_file_that_was_cut_off_anywhere_is_refused(text: str, tmp_path: Path) -> None:
    lines = text.splitlines(keepends=True)
    path = tmp_path / "cut.cypher"
    for end in (0, 1, 14, 25, len(lines) - 1):
        path.write_text("".join(lines[:end]), encoding="utf-8")
        with pytest.raises(InputError):
            check(path)
    path.write_text("".join([*lines[:20], *lines[21:]]), encoding="utf-8")
    with pytest.raises(InputError, match="where the end says 79 and"):
        check(path)
    path.write_text(text + lines[20], encoding="utf-8")
    with pytest.raises(InputError, match="after the end"):
        check(path)
    path.write_bytes(text.encode() + b"\xff\n")
    with pytest.raises(InputError, match="UTF-8"):
        check(path)


@pytest.mark.parametrize("first", ["", "{}", "CREATE (n);", Header("x", 1).line().replace("dump/1", "dump/2")])
def test_what_is_no_dump_at_all_is_said_to_be_none(tmp_path: Path, first: str) -> None:
    path = tmp_path / "other"
    path.write_text(first + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: it is not a dump"):
        check(path)


def test_a_dump_of_a_newer_schema_says_to_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "newer.cypher"
    path.write_text(Header("2027-01-01T00:00:00Z", 99).line() + "\n" + End(0, 0).line() + "\n", encoding="utf-8")
    with pytest.raises(StoreMismatch, match="newer graphmem"):
        check(path)


# -- stores that are not as they should be -----------------------------------------------------------------------------


def test_a_store_that_holds_something_is_left_as_it_is(file: Path) -> None:
    with Memory.open("memory:") as memory:
        memory.learn(DEMO / "northrail.jsonl")
        before = whole(memory.store)
        with pytest.raises(UsageError, match="not empty"):
            memory.load(file)
        assert whole(memory.store) == before


def test_a_load_that_was_interrupted_goes_on_with_the_same_file_only(file: Path, empty: Store, tmp_path: Path) -> None:
    def stop(stage: str, done: int, total: int) -> None:
        if stage == "Loading" and done == 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        restore(empty, file, progress=stop)
    assert stats(empty)["steps"] > 0
    other = tmp_path / "other.cypher"
    other.write_text(file.read_text(encoding="utf-8").replace("Emma", "Anna"), encoding="utf-8")
    with pytest.raises(UsageError, match="not empty"):
        restore(empty, other)
    restore(empty, file)
    first = open_store("memory:")
    asked.fill(first)
    assert whole(empty) == whole(first)
    assert derived.settings(empty) == derived.settings(first)
    first.close()


def test_a_store_that_is_written_to_while_it_is_dumped_is_no_dump() -> None:
    with Memory.open("memory:") as memory:
        memory.learn(DEMO / "northrail.jsonl")
        parts = dump(memory.store)
        list(itertools.islice(parts, 20))
        memory.learn(DEMO / "bookbarn.jsonl")
        with pytest.raises(StoreConflict, match="while it was dumped"):
            list(parts)


def test_what_cypher_has_no_literal_for_is_refused() -> None:
    for value in (b"x", {"a b": 1}, {"`": 1}):
        with pytest.raises(StoreError):
            literal(value)
    assert literal([1e16, 1e-7, True, None]) == "[1e16, 1e-07, true, null]"
