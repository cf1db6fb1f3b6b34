"""A real Neo4j for tests: one that is named, one in Docker, or one of our own from Maven, in this order.

``start()`` gives a running ``Server`` or raises ``Missing`` with the line that says what to install. The jars (some
130 MB) are kept in ``~/.cache/graphmem-tests`` (GRAPHMEM_TEST_CACHE names another folder), so a second run is quick.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import neo4j
from filelock import FileLock

VERSION = "5.26.30"
IMAGE = "neo4j:5.26-community"
URI = "GRAPHMEM_TEST_NEO4J_URI"
PATIENCE = 180.0

POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>graphmem.tests</groupId><artifactId>neo4j</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies>
    <dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>{VERSION}</version></dependency>
    <dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{VERSION}</version></dependency>
  </dependencies>
</project>
"""


class Missing(Exception):
    """No Neo4j here; the text says what to install."""


@dataclass
class Server:
    """A running server. ``auth`` is None where it lets everybody in."""

    url: str
    auth: tuple[str, str] | None = None
    process: subprocess.Popen[bytes] | None = None
    container: str = ""
    home: Path | None = None

    def environ(self) -> dict[str, str]:
        """What ``open_store`` needs in its environment."""
        user, password = self.auth or ("", "")
        return {"NEO4J_URI": self.url, "NEO4J_USER": user, "NEO4J_PASSWORD": password}

    def driver(self) -> neo4j.Driver:
        return neo4j.GraphDatabase.driver(self.url, auth=self.auth, notifications_min_severity="OFF")

    def run(self, statement: str, **parameters: Any) -> list[dict[str, Any]]:
        """Run one statement beside the store, on a connection of its own."""
        with self.driver() as driver, driver.session() as session:
            return session.run(statement, parameters).data()  # type: ignore[arg-type]

    def wipe(self, *, schema: bool = False) -> None:
        """Remove every node and vector index (which is bound to a dimension), and with ``schema`` all of the schema."""
        with self.driver() as driver, driver.session() as session:
            session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()
            if schema:
                for name in [row["name"] for row in session.run("SHOW CONSTRAINTS YIELD name")]:
                    session.run(f"DROP CONSTRAINT `{name}`").consume()
            kept = ["LOOKUP"] if schema else ["LOOKUP", "RANGE", "FULLTEXT"]
            show = "SHOW INDEXES YIELD name, type WHERE NOT type IN $kept"
            for name in [row["name"] for row in session.run(show, kept=kept)]:
                session.run(f"DROP INDEX `{name}`").consume()

    def stop(self) -> None:
        """End what ``start`` began, and only that."""
        if self.process:
            self.process.kill()  # its folder goes too, so there is nothing to shut down in order
            self.process.wait()
        if self.container:
            subprocess.run(["docker", "rm", "-f", self.container], capture_output=True, check=False)
        if self.home:
            shutil.rmtree(self.home, ignore_errors=True)


def start(environ: Mapping[str, str] = os.environ, *, password: str = "") -> Server:
    """A server that answers, its database empty. With ``password`` it asks for one (and is never the named one)."""
    if environ.get(URI) and not password:
        return _named(environ)
    if _docker_answers():
        return _in_docker(password)
    return _of_our_own(environ, password)


def _named(environ: Mapping[str, str]) -> Server:
    user, word = environ.get("GRAPHMEM_TEST_NEO4J_USER", "neo4j"), environ.get("GRAPHMEM_TEST_NEO4J_PASSWORD", "")
    server = Server(environ[URI], (user, word) if word else None)
    count = server.run("MATCH (n) RETURN count(n) AS n")[0]["n"]
    if count:
        raise RuntimeError(f"{URI} names a database with {count} nodes; tests wipe it, so it must be empty.")
    return server


def _docker_answers() -> bool:
    if not shutil.which("docker"):
        return False
    try:
        return subprocess.run(["docker", "info"], capture_output=True, timeout=10, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def _in_docker(password: str) -> Server:
    port = _free_port()
    auth = f"neo4j/{password}" if password else "none"
    made = subprocess.run(
        ["docker", "run", "-d", "--rm", "-p", f"127.0.0.1:{port}:7687", "-e", f"NEO4J_AUTH={auth}", IMAGE],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    server = Server(f"bolt://127.0.0.1:{port}", ("neo4j", password) if password else None)
    server.container = made.stdout.strip()
    return _awaited(server)


def _of_our_own(environ: Mapping[str, str], password: str) -> Server:
    java, lib = _java(), _jars(environ)
    home = Path(tempfile.mkdtemp(prefix="graphmem-neo4j-"))
    port = _free_port()
    _configure(home, port, auth=bool(password))
    options = [
        "-Xms128m", "-Xmx1g", "-Dio.netty.tryReflectionSetAccessible=true", "-Dlog4j2.disable.jmx=true",
        "-Dfile.encoding=UTF-8",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED"
          for package in ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent", "java.lang")),
    ]  # fmt: skip
    command = [java, *options, "-cp", f"{lib}/*", "org.neo4j.server.CommunityEntryPoint"]
    command += [f"--home-dir={home}", f"--config-dir={home}/conf", "--console-mode"]
    with open(home / "output.log", "wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
    server = Server(f"bolt://127.0.0.1:{port}", None, process, home=home)
    if password:
        server.auth = ("neo4j", "neo4j")  # the first one, which must be changed
        change = "ALTER CURRENT USER SET PASSWORD FROM 'neo4j' TO $new"
        _awaited(server, lambda driver: driver.execute_query(change, new=password, database_="system"))
        server.auth = ("neo4j", password)
    return _awaited(server)


def _configure(home: Path, port: int, *, auth: bool) -> None:
    lines = [f"server.directories.{name}={home}/{name}" for name in ("data", "logs", "run", "plugins", "import")]
    lines += [
        f"server.directories.transaction.logs.root={home}/tx",
        f"server.bolt.listen_address=127.0.0.1:{port}",
        f"server.bolt.advertised_address=127.0.0.1:{port}",
        "server.http.enabled=false",
        "server.https.enabled=false",
        f"dbms.security.auth_enabled={str(auth).lower()}",
        "dbms.usage_report.enabled=false",
        "server.memory.pagecache.size=64m",
    ]
    for folder in ("conf", "data", "logs", "run", "plugins", "import", "tx"):
        (home / folder).mkdir()
    (home / "conf" / "neo4j.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _awaited(server: Server, ask: Callable[[neo4j.Driver], object] | None = None) -> Server:
    """Ask until it answers."""
    ask = ask or (lambda driver: driver.execute_query("RETURN 1"))
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with server.driver() as driver:
                ask(driver)
            return server
        except (neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError, OSError) as error:
            dead = server.process is not None and server.process.poll() is not None
            if dead or time.monotonic() > end:
                said = (server.home / "output.log").read_text(errors="replace")[-2000:] if server.home else ""
                server.stop()
                raise RuntimeError(f"Neo4j did not come up: {error}\n{said}") from error
            time.sleep(0.2)


def _java() -> str:
    java = shutil.which("java")
    if java:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
        found = re.search(r'version "(\d+)', said)
        if found and int(found[1]) >= 17:
            return java
    raise Missing("no Neo4j: install Java 17 or later and Maven (apt-get install openjdk-17-jre-headless maven), "
                  f"or start Docker, or name an empty database in {URI}")  # fmt: skip


def _jars(environ: Mapping[str, str]) -> Path:
    base = Path(environ.get("GRAPHMEM_TEST_CACHE") or Path.home() / ".cache" / "graphmem-tests")
    lib = base / f"neo4j-{VERSION}"
    base.mkdir(parents=True, exist_ok=True)
    with FileLock(base / "neo4j.lock"):
        if lib.is_dir():
            return lib
        maven = shutil.which("mvn")
        if not maven:
            raise Missing("no Neo4j: install Maven (apt-get install maven), or start Docker, "
                          f"or name an empty database in {URI}")  # fmt: skip
        print(f"fetching Neo4j {VERSION} with Maven into {lib} (once, about 130 MB) ...", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(dir=base) as work:
            Path(work, "pom.xml").write_text(POM, encoding="utf-8")
            goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={work}/lib"]
            done = subprocess.run([maven, "-q", "-B", *goal], cwd=work, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"Maven could not fetch Neo4j:\n{(done.stdout + done.stderr)[-2000:]}")
            os.replace(f"{work}/lib", lib)
    return lib


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
