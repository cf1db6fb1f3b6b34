"""The 1,819 successful MiniWoB++ demonstrations in the light form that lies beside a checkout, as trajectories.

    python -m benchmarks.miniwob_data --out miniwob.jsonl       # the neutral format, for ``graphmem learn miniwob.jsonl``

One file a task, one demonstration a line: utterance, rewards, the page at the start, and steps that are acts already
(click, type, key ...), each with its target and, where it had changed, the page just before it. Pages, targets and steps
are read by the same rules as the recorder's own form (``graphmem.importers.miniwob``): both give the same trajectory.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.frame import data_folder
from graphmem.importers.miniwob_acts import Act
from graphmem.importers.miniwob_dom import LIGHT, Names, State, read_state, ref_of
from graphmem.importers.miniwob_steps import record_of
from graphmem.model.element import Node
from graphmem.model.secrets import mask
from graphmem.model.trajectory import Trajectory, trajectory_from_json, trajectory_to_json

FOLDER = "miniwob"

_KINDS = {"click": "click", "dblclick": "dblclick", "drag": "drag", "type": "type", "key": "press", "scroll": "scroll"}
_KEYS = {" ": "Space"}
#: A step's target says what a node of the page says, under the recorder's own names.
_TARGET = Names(box="box")


def records(data: Path | None = None, *, tasks: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    """The raw records, by task in the order of their names; of ``tasks`` only where they are given."""
    folder = (data or data_folder()) / FOLDER
    files = sorted(folder.glob("*.jsonl.gz"))
    if not files:
        raise FileNotFoundError(f"No demonstrations in {folder}.")
    for file in files:
        if tasks and file.name.removesuffix(".jsonl.gz") not in tasks:
            continue
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def load(
    data: Path | None = None, *, tasks: tuple[str, ...] = (), limit: int | None = None, pages: bool = True
) -> list[Trajectory]:
    """Demonstrations as trajectories: at most ``limit`` of each task (None: all); without ``pages`` no step has a page."""
    taken: dict[str, int] = {}
    found = []
    for record in records(data, tasks=tasks):
        taken[record["task"]] = taken.get(record["task"], 0) + 1
        if limit is None or taken[record["task"]] <= limit:
            found.append(trajectory(record, pages=pages))
    return found


def trajectory(record: Mapping[str, Any], *, pages: bool = True) -> Trajectory:
    """One demonstration. The blob of the file that it was taken from is the run id, so that equal tries stay two."""
    made = record_of(
        task=record["task"],
        utterance=record["utterance"],
        fields=record["fields"],
        raw_reward=record["raw_reward"],
        reward=record["reward"],
        acts=acts(record),
        source={"file": Path(record["source"]).name},
    )
    if not pages:
        for step in made["steps"]:
            del step["page"]
    mask(made)
    return trajectory_from_json(made | {"run_id": record["blob"]})


def acts(record: Mapping[str, Any]) -> list[Act]:
    """The acts of a demonstration, each on the page that it was done on."""
    state = read_state(record["start_dom"], LIGHT)
    found = []
    for step in record["steps"]:
        if step.get("dom"):
            state = read_state(step["dom"], LIGHT)
        found += _acts_of(step, state)
    return found


def _acts_of(step: Mapping[str, Any], state: State) -> list[Act]:
    node = _node(step["target"], state)
    kind = _KINDS[step["action"]]
    if step["action"] == "type":
        return [Act("type", state, node, _typed(step))]
    if step["action"] == "key":
        return _keys(step, state, node)
    return [Act(kind, state, node, to=_node(step["to"], state) if step.get("to") else None)]


def _typed(step: Mapping[str, Any]) -> str:
    """What stands in the field afterwards; where the page took the field away, what stood there and was typed."""
    after = step.get("value_after")
    return str(after) if after else str(step.get("value_before") or "") + str(step["text"])


def _keys(step: Mapping[str, Any], state: State, node: Node | None) -> list[Act]:
    """A key; where it changed what stands in the field (a paste, a deletion), the typing that this is."""
    before, after = step.get("value_before"), step.get("value_after")
    edits = (step["key"] == "v" and step.get("mods")) or step["key"] in ("Backspace", "Delete")
    if node is not None and edits and isinstance(after, str) and after != before:
        return [Act("type", state, node, after)]
    key = "+".join([*sorted(step.get("mods") or []), _KEYS.get(step["key"], step["key"])])
    return [Act("press", state, node, key)]


def _node(target: Mapping[str, Any] | None, state: State) -> Node | None:
    """The node of the page that a target is; by tag and ref alone where it has moved, None where it is not in the page."""
    if not target or target["tag"] in ("BODY", "HTML"):
        return None
    found = state.named(ref_of(target, _TARGET))
    if found is not None:
        return found
    alike = [n for n in state.tree.nodes if n.ref.split(" ")[:2] == [str(target["ref"]), target["tag"]]]
    return alike[0] if alike else None


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the MiniWoB++ demonstrations in the neutral format.")
    parser.add_argument("--data", type=Path, help="folder of the data (default: ../shared/data beside the checkout)")
    parser.add_argument("--task", action="append", default=[], help="only this task; may be given several times")
    parser.add_argument("--limit", type=int, help="only the first N demonstrations")
    parser.add_argument("--no-pages", action="store_true", help="leave the pages out")
    parser.add_argument("--out", type=Path, help="file to write (default: stdout)")
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8") if options.out else nullcontext(sys.stdout) as out:
        for record in islice(records(options.data, tasks=tuple(options.task)), options.limit):
            document = trajectory_to_json(trajectory(record, pages=not options.no_pages))
            out.write(json.dumps(document, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
