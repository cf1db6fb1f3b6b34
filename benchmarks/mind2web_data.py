"""The 1,009 Mind2Web train tasks (Deng et al. 2023), in the light form that lies beside a checkout, as trajectories.

    python -m benchmarks.mind2web_data --out m2w.jsonl        # the neutral format, for ``graphmem learn m2w.jsonl``

One record a line: website, domain, task, and steps with operation, role and label, the target's attributes and, for
half of the tasks, a pruned page. HOVER and ENTER were folded into CLICK and are unfolded here; values whose colons were
lost ("5 00 PM") are taken from the step's printed form. Node numbers and boxes are left out: they differ at each load,
and give the answer away where steps are predicted.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks import obs
from benchmarks.frame import data_folder
from graphmem.model.identity import canonical
from graphmem.model.secrets import masked
from graphmem.model.target import Target, pairs
from graphmem.model.trajectory import Page, Step, Trajectory, trajectory_to_json

FILE = "mind2web/m2w_train.jsonl.gz"

_OPERATIONS = {"CLICK": "click", "TYPE": "type", "SELECT": "select", "HOVER": "hover", "ENTER": "press"}
#: Glyphs of icon fonts live in the private use area; to a reader they are noise.
_GLYPHS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")
_NOT_ATTRIBUTES = frozenset(
    {"tag", "label", "placeholder", "original", "bounding_box_rect", "backend_node_id", "input_value", "input_checked"}
)
#: Of these inputs ``value`` is what somebody had typed; of all others it says which one it is.
_WRITTEN_IN = frozenset({"", "text", "search", "email", "password", "number", "date", "tel", "url"})


def records(data: Path | None = None) -> Iterator[dict[str, Any]]:
    """The raw records, in file order. FileNotFoundError names the folder that was looked in."""
    path = (data or data_folder()) / FILE
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def splits(data: Path | None = None) -> dict[str, Any]:
    """Our splits of the train set: names of splits to lists of record ids."""
    result: dict[str, Any] = json.loads(((data or data_folder()) / "mind2web/splits.json").read_text(encoding="utf-8"))
    return result


def load(data: Path | None = None, *, limit: int | None = None, pages: bool = True) -> list[Trajectory]:
    """The first ``limit`` records (None: all) as trajectories; without ``pages`` the steps carry no page."""
    return [trajectory(record, pages=pages) for record in islice(records(data), limit)]


def trajectory(record: Mapping[str, Any], *, pages: bool = True) -> Trajectory:
    """One record. Its id is the run id, so that two annotators' equal tries stay two."""
    read = Trajectory(
        task=_clean(record["task"]),
        steps=tuple(_step(step, pages) for step in record["steps"]),
        site=record["website"],
        domain=record["domain"],
        outcome="success",
        run_id=record["id"],
        source=canonical({"tool": "mind2web"}),
        extra=canonical({"subdomain": record["subdomain"]}),
    )
    return masked(read)


def _step(step: Mapping[str, Any], pages: bool) -> Step:
    op = _OPERATIONS[step.get("original_op") or step["op"]]
    value = step.get("repr_value") or step.get("value") or ""
    page = step.get("obs") if pages else None
    return Step(
        op=op,
        target=_target(step),
        value="Enter" if op == "press" else value,
        page=Page(title=obs.title(page), sketch=obs.sketch(page)) if page else None,
    )


def _target(step: Mapping[str, Any]) -> Target:
    """Role and label are always there; the element itself is missing where the original lost it in cleaning."""
    element: Mapping[str, Any] = step.get("target") or {}
    return Target(
        role=step["role"],
        name=_clean(step["label"]),
        label=_clean(element.get("label", "")),
        placeholder=_clean(element.get("placeholder", "")),
        tag=element.get("tag", ""),
        attributes=pairs(_attributes(element)),
    )


def _attributes(element: Mapping[str, Any]) -> dict[str, str]:
    written_in = element.get("tag") in ("input", "textarea") and element.get("type", "") in _WRITTEN_IN
    left_out = _NOT_ATTRIBUTES | ({"value"} if written_in else set())
    return {name.replace("_", "-"): _clean(str(text)) for name, text in element.items() if name not in left_out}


def _clean(text: str) -> str:
    return " ".join(_GLYPHS.sub(" ", text).split())


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the Mind2Web train tasks in the neutral format.")
    parser.add_argument("--data", type=Path, help="folder of the data (default: ../shared/data beside the checkout)")
    parser.add_argument("--limit", type=int, help="only the first N tasks")
    parser.add_argument("--no-pages", action="store_true", help="leave the pages out")
    parser.add_argument("--out", type=Path, help="file to write (default: stdout)")
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8") if options.out else nullcontext(sys.stdout) as out:
        for record in islice(records(options.data), options.limit):
            document = trajectory_to_json(trajectory(record, pages=not options.no_pages))
            out.write(json.dumps(document, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
