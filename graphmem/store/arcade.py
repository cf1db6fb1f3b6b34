"""ArcadeDB in the process: loading the engine, one open database, and the engine's errors in our words.

Every statement runs in an explicit transaction: without one a statement that fails leaves half its writes behind. The
engine's Java log is off, its LOAD CSV is shut, and a commit is flushed to the disk. Nothing here knows of folders that
are shared with other processes; ``graphmem.store.embedded`` does.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from graphmem.errors import ReadOnlyRefused, StoreConflict, StoreError, StoreUnavailable, UsageError
from graphmem.store import console, migrations
from graphmem.store.parameters import check
from graphmem.store.protocol import Row, Table, Transaction
from graphmem_queries import Query

T = TypeVar("T")

_DIALECT = "arcade"
_SCRIPT = "// Language: sqlscript"
_TRIES = 12
_PATH = re.compile(r"\(#\d+:\d+\)(?:<?-\[#\d+:\d+\]->?\(#\d+:\d+\))*")
_AGAIN = {"ConcurrentModificationException", "NeedRetryException", "LockTimeoutException"}
_WRONG = {"CommandParsingException", "CommandSemanticException", "ArithmeticErrorException"}
_ARGUMENTS = (
    "-Darcadedb.opencypher.loadCsv.allowFileUrls=false",
    "-Darcadedb.opencypher.loadCsv.allowRemoteUrls=false",
)


#: Memory of the engine: its heap is this much and a share of the store on disk, its page cache fixed. Left to itself it
#: takes what the machine has, whatever the store holds.
_HEAP_MB = 512
_HEAP_FOR_EACH_MB = 4
_PAGES_MB = 64


class Handle:
    """One open database. One thread at a time."""

    def __init__(self, path: Path, name: str) -> None:
        self._name = name
        self._database = _open(path, name)
        self._version: migrations.Version | None = None
        self._kinds: dict[str, str] = {}

    def close(self) -> None:
        with _translated():
            self._database.close()

    def prepare(self, *, writing: bool) -> None:
        """Look at the schema once for each opening, and bring it up to date before the first write."""
        if self._version is None:
            self._version = migrations.version(self, self._name)
        if writing and self._version.schema < migrations.LATEST:
            self._version = migrations.migrate(self, self._name)

    def read(self, query: Query, /, **values: Any) -> list[Row]:
        if self._database.is_transaction_active():  # a read inside a write sees what was written so far
            return self._fetch(self._database.query, query, values)
        with self._transaction(keep=False):
            return self._fetch(self._database.query, query, values)

    def write(self, work: Callable[[Transaction], T], /) -> T:
        if self._database.is_transaction_active():
            raise UsageError("A write was begun inside another write.")
        for attempt in range(_TRIES):
            try:
                with self._transaction(keep=True):
                    return work(_Work(self))
            except StoreConflict:
                if attempt == _TRIES - 1:
                    raise
                time.sleep(0.002 * 2 ** min(attempt, 6))
        raise AssertionError("unreachable")

    def run(self, query: Query, values: Mapping[str, Any]) -> list[Row]:
        """One statement of a write in progress."""
        length = check(values, writing=True)
        if length is not None:
            migrations.check_dimension(self, self._version, length)
        return self._fetch(self._database.command, query, values)

    def define(self, query: Query, /, **values: Any) -> None:
        text = query.text(_DIALECT)
        with _translated():
            if _SCRIPT not in text:
                self._database.command("opencypher", text, values)
                return
            text = "\n".join(line for line in text.splitlines() if not line.startswith("//"))
            for name, value in values.items():  # a script takes no parameters, and these are numbers
                text = text.replace(f"${name}", str(int(value)))
            self._database.command("sqlscript", text)

    def vectors(self, label: str, dimension: int) -> None:
        self._version = migrations.vectors(self, label, dimension)

    def console(self, statement: console.Statement, values: Mapping[str, Any], limit: int, seconds: float) -> Table:
        """Run a checked statement of a user through the engine's read call."""
        with self._within(seconds), self._transaction(keep=False, seconds=seconds):
            found = self._database.query("opencypher", statement.text, dict(values))
            return statement.table((row.to_dict() for row in found), limit, self._shown)

    @contextmanager
    def _transaction(self, *, keep: bool, seconds: float | None = None) -> Iterator[None]:
        """Begin, and commit at the end when ``keep``; whatever goes wrong leaves nothing behind."""
        with _translated(seconds):
            self._database.begin()
            try:
                yield
                if keep:
                    self._database.commit()
            finally:
                if self._database.is_transaction_active():
                    with suppress(Exception):
                        self._database.rollback()

    def _fetch(self, call: Callable[..., Any], query: Query, values: Mapping[str, Any]) -> list[Row]:
        with _translated():
            found = call("opencypher", query.text(_DIALECT), dict(values))
            rows = found.to_list() if found is not None else []
        return [{name: _plain(value) for name, value in row.items()} for row in rows]

    @contextmanager
    def _within(self, seconds: float) -> Iterator[None]:
        limit = max(1, int(seconds * 1000)) if seconds > 0 else 0
        _limit(self._database, limit)
        try:
            yield
        finally:
            _limit(self._database, 0)

    def _shown(self, value: Any) -> Any:
        if isinstance(value, dict) and "@rid" in value and "@type" in value:
            name = value["@type"]
            properties = {key: item for key, item in value.items() if not key.startswith("@")}
            is_edge = self._kind(name) == "edge"
            return console.relationship(name, properties) if is_edge else console.node([name], properties)
        if isinstance(value, str) and _PATH.fullmatch(value):
            return self._path(value)
        return value

    def _path(self, text: str) -> Any:
        """The engine gives a path as text; its records are fetched by the ids in it."""
        ids = re.findall(r"#\d+:\d+", text)
        shown = []
        for name in ids:
            found = self._database.query("sql", f"SELECT @this AS it, @rid AS id FROM {name}").to_list()
            if not found:
                return text
            shown.append(self._shown(found[0]["it"]))
        return console.path(shown[::2], shown[1::2])

    def _kind(self, name: str) -> str:
        if name not in self._kinds:
            rows = self._database.query("sql", "SELECT name, type FROM schema:types").to_list()
            self._kinds = {row["name"]: row["type"] for row in rows}
        return self._kinds.get(name, "vertex")


class _Work:
    """The ``Transaction`` that a unit of work sees."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def run(self, query: Query, /, **values: Any) -> list[Row]:
        return self._handle.run(query, values)


def _plain(value: Any) -> Any:
    """A node or relationship becomes the map of its properties."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items() if not name.startswith("@")}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


@contextmanager
def _translated(seconds: float | None = None) -> Iterator[None]:
    """The engine's errors in our words; ``seconds`` is the limit of a user's statement."""
    engine = _engine()
    try:
        yield
    except engine.ArcadeDBError as error:
        raise _translate(error, seconds) from error


def _translate(error: Any, seconds: float | None) -> StoreError | UsageError:
    chain = getattr(error, "java_chain", None) or []
    kinds = {str(name).rpartition(".")[2] for name, _ in chain}
    said = next((str(text) for _, text in reversed(chain) if text and text != "null"), str(error))
    if kinds & _AGAIN:
        return StoreConflict(f"Other writers were first, again and again: {said}", hint="Try again.")
    if "DuplicatedKeyException" in kinds:
        return StoreError(f"A node with this key is already there: {said}")
    if "QueryNotIdempotentException" in kinds:
        return ReadOnlyRefused("The console only reads.", hint="The other commands of graphmem change the graph.")
    if seconds is not None and "TimeoutException" in kinds:
        return StoreError(f"The statement took longer than {seconds:g} seconds.", hint="Ask for less of the graph.")
    if seconds is not None and kinds & _WRONG:
        return UsageError(f"The statement cannot be run: {said}")
    return StoreError(f"The embedded store refused: {said}")


def _open(path: Path, name: str) -> Any:
    engine = _engine(path)
    try:
        if not path.exists():
            _make(path)
        database = engine.open_database(str(path))
        database.set_wal_flush("yes_nometadata")  # the default survives a killed process, but not a power cut
        if re.search(r'"command\.timeout":[1-9]', (path / "configuration.json").read_text(encoding="utf-8")):
            _limit(database, 0)  # a console that was killed left its limit behind
        return database
    except (engine.ArcadeDBError, OSError) as error:
        raise StoreUnavailable(
            f"The store {name} cannot be opened: {error}", hint="Check the folder, or choose another with --store."
        ) from error


def _make(path: Path) -> None:
    """Make it aside and move it: a process killed half-way leaves no half a database under the name."""
    aside = path.with_name(path.name + ".new")
    shutil.rmtree(aside, ignore_errors=True)
    _engine().create_database(str(aside)).close()
    os.replace(aside, path)


def _limit(database: Any, milliseconds: int) -> None:
    database.command("sql", f"ALTER DATABASE `arcadedb.command.timeout` {milliseconds}")


_loading = threading.Lock()
_loaded: tuple[int, Any] | None = None


def _engine(path: Path | None = None) -> Any:
    """The engine's module, started once in a process, with memory for the store at ``path``. StoreUnavailable where there
    is none."""
    global _loaded
    if _loaded is None:
        with _loading:
            _loaded = _loaded or (os.getpid(), _start(_memory(path)))
    if _loaded[0] != os.getpid():
        raise StoreUnavailable(
            "The embedded store was used before this process was forked, and its engine does not survive that.",
            hint="Start processes with multiprocessing's 'spawn', or open the store in them only.",
        )
    return _loaded[1]


def _memory(path: Path | None) -> list[str]:
    """The engine's arguments for its heap and page cache. Who says -Xmx in ARCADEDB_NATIVE_ISOLATE_ARGS decides alone."""
    if "-Xmx" in os.environ.get("ARCADEDB_NATIVE_ISOLATE_ARGS", ""):
        return []
    files = (file.stat().st_size for file in path.iterdir() if file.is_file()) if path and path.is_dir() else ()
    heap = _HEAP_MB + _HEAP_FOR_EACH_MB * (sum(files) >> 20)
    return [f"-Xmx{heap}m", "-Xmn32m", f"-Darcadedb.maxPageRAM={_PAGES_MB}"]


def _start(memory: list[str]) -> Any:
    """Import and start the engine with settings that it reads only then, from the environment, which is put back."""
    quiet = Path(tempfile.mkdtemp(prefix="graphmem-engine-"))
    (quiet / "off.properties").write_text("handlers=\n.level=OFF\n", encoding="ascii")
    arguments = [os.environ.get("ARCADEDB_NATIVE_ISOLATE_ARGS", ""), *memory, *_ARGUMENTS]
    if not re.search(r"\s", str(quiet)):  # the engine splits its arguments at spaces
        arguments.append(f"-Djava.util.logging.config.file={(quiet / 'off.properties').as_posix()}")
    settings = {
        "ARCADEDB_LOG_DIR": str(quiet),
        "ARCADEDB_LOG_CONSOLE": "0",
        "ARCADEDB_NATIVE_ISOLATE_ARGS": " ".join(arguments).strip(),
    }
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    try:
        import arcadedb

        arcadedb.create_database(str(quiet / "first")).close()  # starts it
        return arcadedb
    except ImportError as error:
        raise StoreUnavailable(
            "The embedded store needs ArcadeDB, which is not installed and has no wheel for every machine.",
            hint="Use Neo4j: --store neo4j://HOST, or NEO4J_URI with NEO4J_USER and NEO4J_PASSWORD.",
        ) from error
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
        shutil.rmtree(quiet, ignore_errors=True)
