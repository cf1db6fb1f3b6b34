"""Files as Selenium IDE, WALT and Playwright wrote them: each is read or refused with a true reason. Printed (pytest -s)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from test_real_files import folder, table

from graphmem.importers import Refusal
from graphmem.model.trajectory import Trajectory

pytestmark = pytest.mark.shared

NOTHING = "no steps that do anything"
#: Refusals that are right: how many tests of a file, and what the reasons say. Their steps are scripts and checks alone.
REFUSED = {
    "selenium-ide": {
        "bordercloud__test.side": (2, NOTHING),
        "seleniumhq__2_plugin.side": (1, "'customClick' is no command"),
        "seleniumhq__control-flow-suite.side": (10, NOTHING),
        "seleniumhq__control-flow.side": (3, NOTHING),
        "seleniumhq__executescript.side": (3, NOTHING),
        "seleniumhq__plugin.side": (1, "'customClick' is no command"),
        "seleniumhq__test-case-reuse.side": (1, NOTHING),
        "seleniumhq__variable-in-conditional.side": (2, NOTHING),
        "wangding__baidu-ddt.side": (1, NOTHING),
        "wangding__factorial.side": (1, NOTHING),
        "wangding__flow.side": (2, NOTHING),
        "wangding__hello-world.side": (2, NOTHING),
        "wangding__study-len-ddt.side": (1, NOTHING),
    },
    "walt-tools": dict.fromkeys(
        (
            "classifieds__create_listing.tool.json",
            "classifieds__delete_listing.tool.json",
            "classifieds__edit_listing.tool.json",
            "gitlab__add_issue_label.tool.json",
            "gitlab__view_file.tool.json",
            "reddit__vote_submission.tool.json",
            "shopping__proceed_to_checkout.tool.json",
        ),
        (1, "agent step"),
    ),
    "playwright-trace": {"flrisksam__login-test-trace.zip": (1, "nothing was done while it was recorded")},
}
#: Files, recordings read, refused.
COUNTS = {"selenium-ide": (50, 96, 30), "walt-tools": (27, 20, 7), "playwright-trace": (1, 0, 1)}


def rows_of(name: str) -> list[tuple[str, list[Trajectory | Refusal]]]:
    return table([Path(path) for path in sorted(folder(name).iterdir())])


@pytest.mark.parametrize("name", REFUSED)
def test_every_file_is_read_or_refused_with_a_true_reason(name: str) -> None:
    rows = rows_of(name)
    refused = {file: [item for item in found if isinstance(item, Refusal)] for file, found in rows}
    assert {file: len(items) for file, items in refused.items() if items} == {
        f: n for f, (n, _) in REFUSED[name].items()
    }
    for file, (_, says) in REFUSED[name].items():
        assert all(says in item.reason for item in refused[file]), refused[file]
    count = Counter(type(item).__name__ for _, found in rows for item in found)
    print(f"{name}: {len(rows)} files, {count['Trajectory']} recordings, {count['Refusal']} refused")
    assert (len(rows), count["Trajectory"], count["Refusal"]) == COUNTS[name]


def test_what_is_read_says_on_what_each_step_was_done() -> None:
    for name in REFUSED:
        for file, found in rows_of(name):
            for step in (step for item in found if isinstance(item, Trajectory) for step in item.steps):
                needs = step.op in ("click", "dblclick", "select", "hover", "upload", "drag")
                assert not needs or (step.target and step.target.locators), file


def test_passwords_in_clear_are_nowhere_in_what_was_read() -> None:
    assert "SuperSecretPassword" not in repr(rows_of("selenium-ide"))
