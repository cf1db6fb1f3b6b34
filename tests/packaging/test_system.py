"""`.ci/system` on machines of several kinds, played by stand-ins on a PATH of their own. Nothing is installed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "grep", "sed", "head", "tr", "ls", "rm", "touch", "cat")
JAVA_17 = "echo 'openjdk version \"17.0.15\" 2025-04-15' >&2"
JAVA_11 = "echo 'openjdk version \"11.0.2\"' >&2"
#: Makes what it is asked for, and keeps the words that it was called with.
APT_GET = """
echo "$@" >> "$LOG"
case " $* " in *" install "*) ;; *) exit 0 ;; esac
for word in "$@"; do case $word in
    openjdk-17-jre-headless|default-jre-headless)
        printf '#!/bin/sh\\necho version \\\\"17.0.1 >&2\\n' > "$BIN/java"; chmod +x "$BIN/java" ;;
    maven) printf '#!/bin/sh\\n' > "$BIN/mvn"; chmod +x "$BIN/mvn" ;;
    chromium-headless-shell) printf '#!/bin/sh\\n' > "$BIN/$word"; chmod +x "$BIN/$word" ;;
esac; done
"""


class Machine:
    def __init__(self, folder: Path, user: int, **commands: str) -> None:
        self.bin, self.log, self.home = folder / "bin", folder / "apt.log", folder / "home"
        self.bin.mkdir()
        self.home.mkdir()
        for tool in (*TOOLS, "chmod"):
            (self.bin / tool).symlink_to(str(shutil.which(tool)))
        for name, body in {"id": f"echo {user}", **commands}.items():
            path = self.bin / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
            path.chmod(0o755)

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        own = {"PATH": str(self.bin), "HOME": str(self.home), "LOG": str(self.log), "BIN": str(self.bin)}
        return subprocess.run(
            ["sh", CHECKOUT / ".ci/system", *words], env=own | env, capture_output=True, text=True, timeout=30
        )

    def installed(self) -> list[str]:
        words = self.log.read_text().split() if self.log.exists() else []
        return sorted(word for word in set(words) if word in KNOWN)


KNOWN = {"openjdk-17-jre-headless", "default-jre-headless", "maven", "chromium-headless-shell"}
OFFERS_ALL = "echo '  Candidate: 17.0'"
OFFERS_NO_JAVA_17 = "case $2 in openjdk-17*) echo '  Candidate: (none)';; *) echo '  Candidate: 21';; esac"


def test_a_machine_that_has_everything_is_left_alone_and_told_nothing(tmp_path):
    machine = Machine(tmp_path, 0, java=JAVA_17, mvn="", chromium="", apt_get=APT_GET, apt_cache=OFFERS_ALL)
    done = machine.run("tests")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert machine.installed() == []


def test_what_is_missing_is_installed_by_apt_for_root(tmp_path):
    machine = Machine(tmp_path, 0, apt_get=APT_GET, apt_cache=OFFERS_ALL)
    done = machine.run("tests")
    assert done.returncode == 0
    assert machine.installed() == ["chromium-headless-shell", "maven", "openjdk-17-jre-headless"]
    assert "missing" not in done.stderr


def test_a_java_that_is_too_old_counts_as_missing(tmp_path):
    machine = Machine(tmp_path, 0, java=JAVA_11, mvn="", chromium="", apt_get=APT_GET, apt_cache=OFFERS_ALL)
    machine.run("tests")
    assert machine.installed() == ["openjdk-17-jre-headless"]


def test_a_later_debian_gets_the_java_that_it_has(tmp_path):
    machine = Machine(tmp_path, 0, mvn="", chromium="", apt_get=APT_GET, apt_cache=OFFERS_NO_JAVA_17)
    machine.run("tests")
    assert machine.installed() == ["default-jre-headless"]


def test_who_is_not_root_is_given_the_line_to_type_and_goes_on(tmp_path):
    machine = Machine(tmp_path, 1000, apt_get=APT_GET, apt_cache=OFFERS_ALL)
    done = machine.run("tests")
    assert done.returncode == 0
    assert machine.installed() == []
    line = "sudo apt-get install --no-install-recommends openjdk-17-jre-headless maven chromium-headless-shell"
    assert line in done.stderr


def test_a_machine_without_apt_is_told_too(tmp_path):
    done = Machine(tmp_path, 0, mvn="", chromium="").run("tests")
    assert done.returncode == 0
    assert "Java 17 or later" in done.stderr


def test_apt_that_fails_stops_nothing_and_is_reported(tmp_path):
    machine = Machine(tmp_path, 0, java=JAVA_17, mvn="", apt_get="exit 100", apt_cache=OFFERS_ALL)
    done = machine.run("tests")
    assert done.returncode == 0
    assert "apt could not install chromium-headless-shell" in done.stderr


def test_a_neo4j_that_is_named_needs_no_java(tmp_path):
    machine = Machine(tmp_path, 0, chromium="", apt_get=APT_GET, apt_cache=OFFERS_ALL)
    machine.run("tests", GRAPHMEM_TEST_NEO4J_URI="bolt://127.0.0.1:7687")
    assert machine.installed() == []


@pytest.mark.parametrize("python", ["python3.12", "python3.11"])
def test_a_python_that_is_new_enough_is_looked_for(tmp_path, python):
    made = 'if [ "$1" = -m ]; then touch "$HOME/made-by-$(echo "$0" | sed "s|.*/||")"; fi'
    old = {"python3": 'test "$1" != -c', python: made}
    machine = Machine(tmp_path, 1000, **old)
    assert machine.run("venv", str(tmp_path / "venv")).returncode == 0
    assert os.listdir(machine.home) == [f"made-by-{python}"]


def test_an_old_python_alone_is_refused_with_the_way_out(tmp_path):
    done = Machine(tmp_path, 0, python3='test "$1" = --version && echo Python 3.9.2').run(
        "venv", str(tmp_path / "venv")
    )
    assert done.returncode == 1
    assert "Python 3.11 or later is needed; 'python3' is Python 3.9.2." in done.stderr
    assert "make PYTHON=" in done.stderr


def test_wrong_words_are_refused():
    done = subprocess.run(["sh", CHECKOUT / ".ci/system", "lunch"], capture_output=True, text=True, timeout=30)
    assert done.returncode == 2
    assert "usage" in done.stderr
