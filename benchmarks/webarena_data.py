"""The 812 WebArena runs of one agent that lie beside a checkout, as trajectories, and the answers apart from them.

    python -m benchmarks.webarena_data --out webarena.jsonl     # the neutral format, without any answer

The agent's calls name what they are done on in prose ("Go button next to the search box"), which a fixed reader takes apart
(``benchmarks.prose``). What would give a task's template away (template, its id, instantiation, task id, start URL, the order
of the file) is in ``Answers``, never in a Trajectory; runs are shuffled by a seed. Waits, screenshots, lists of tabs and the
calls of sub-agents are no steps; a call's ``result`` is not read, since it may belong to the call before.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.frame import data_folder
from benchmarks.prose import target_of_prose
from graphmem.model.identity import canonical, key_of
from graphmem.model.secrets import masked
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory, trajectory_to_json

FILE = "webarena/babelcloud_gbox.jsonl.gz"
DOMAIN = "webarena"

_TYPED = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})
#: A long argument was cut and left as the text of a Python value.
_CUT = re.compile(r"['\"](content|finalAnswer|target)['\"]\s*:\s*(['\"])(.*)$", re.DOTALL)
_ADDRESS = re.compile(r"\b(address|URL) bar\b", re.IGNORECASE)
_KEYS = {"arrowleft": "ArrowLeft", "arrowright": "ArrowRight", "arrowup": "ArrowUp", "arrowdown": "ArrowDown",
         "pagedown": "PageDown", "pageup": "PageUp"}  # fmt: skip


@dataclass(frozen=True)
class Answers:
    """What no system may see before it is scored. ``line`` is where the run stands in the file, from zero."""

    task_id: int
    template: str
    template_id: int
    instantiation: str
    start_url: str
    line: int


@dataclass(frozen=True)
class Run:
    trajectory: Trajectory
    answers: Answers


def records(data: Path | None = None) -> Iterator[dict[str, Any]]:
    """The raw records, in file order."""
    with gzip.open((data or data_folder()) / FILE, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def load(data: Path | None = None, *, seed: int = 1, passing: bool = False, limit: int | None = None) -> list[Run]:
    """The runs, shuffled; of those with outcome success only where ``passing``; the first ``limit`` of them."""
    runs = [run(record, line) for line, record in enumerate(records(data))]
    random.Random(seed).shuffle(runs)
    kept = (each for each in runs if not passing or each.trajectory.outcome == "success")
    return list(islice(kept, limit))


def run(record: Mapping[str, Any], line: int) -> Run:
    """One run. Its run id is a hash of what it did, so it says nothing of its task's number."""
    steps = steps_of(record["steps"])
    sites = record["sites"]
    made = Trajectory(
        task=record["intent"],
        steps=tuple(steps),
        site=sites[0],
        domain=DOMAIN,
        outcome="success" if record["result"] == "PASS" else "failure",
        run_id=key_of("run", [record["intent"], [[s.op, s.value, s.target.name if s.target else ""] for s in steps]]),
        source=canonical({"tool": "webarena-gbox"}),
        answer=record.get("answer") or "",
        extra=canonical({"sites": sites}) if len(sites) > 1 else "{}",
    )
    answers = Answers(
        task_id=record["task_id"],
        template=record["intent_template"],
        template_id=record["intent_template_id"],
        instantiation=canonical(record["instantiation"]),
        start_url=record["start_url"],
        line=line,
    )
    return Run(masked(made), answers)


def steps_of(calls: Sequence[Mapping[str, Any]]) -> list[Step]:
    """The steps of a run's tool calls, in order."""
    steps: list[Step] = []
    clicked: Target | None = None
    for call in calls:
        made = _step(call["tool"], arguments(call["args"]), clicked, call.get("said") or "")
        clicks = [step.target for step in made if step.op in ("click", "dblclick")]
        clicked = clicks[-1] if clicks else clicked
        # The browser's own address bar is no part of a page: what is typed there is a navigation.
        steps += [step for step in made if not (step.op in ("click", "dblclick") and _is_address_bar(step.target))]
    return steps


def _is_address_bar(target: Target | None) -> bool:
    return target is not None and bool(_ADDRESS.search(target.attribute("description")))


def arguments(args: Any) -> dict[str, Any]:
    """A call's arguments; of those that were left as text, what can be read, and of text that was cut what there is."""
    if isinstance(args, dict):
        return args
    try:
        read = ast.literal_eval(str(args))
        return read if isinstance(read, dict) else {}
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        match = _CUT.search(str(args))
        return {match[1]: match[3].split(f"{match[2]}, '")[0].rstrip(f"}}{match[2]}")} if match else {}


def _step(tool: str, args: Mapping[str, Any], clicked: Target | None, said: str) -> list[Step]:
    """The steps of one call; none for a call that does nothing on the site. ``clicked``: what was clicked last."""
    match tool:
        case "click" | "double_click" | "triple_click" | "hover":
            op = "hover" if tool == "hover" else "dblclick" if args.get("double") or tool != "click" else "click"
            button = args.get("button", "left")
            target = target_of_prose(args.get("target", ""))
            return [Step(op, target, value="" if button == "left" else button, reasoning=said)]
        case "type":
            content = str(args.get("content", ""))
            if _is_address_bar(clicked):
                return [Step("navigate", value=content, reasoning=said)]
            field = clicked if clicked and clicked.role in _TYPED else None
            typed = Step("type", field, value=content, reasoning=said)
            return [typed, Step("press", field, value="Enter")] if args.get("pressEnterAfterType") else [typed]
        case "press_key":
            return [Step("press", value="+".join(_key(key) for key in args.get("keys", ())), reasoning=said)]
        case "scroll":
            return [Step("scroll", value=str(args.get("direction", "")), reasoning=said)]
        case "drag":
            ends = (target_of_prose(args.get("target", "")), target_of_prose(args.get("destination", "")))
            return [Step("drag", ends[0], to=ends[1], reasoning=said)]
        case "open_tab":
            return [Step("navigate", value=str(args.get("url", "")), reasoning=said)]
        case "complete_task":
            return [Step("answer", value=str(args.get("finalAnswer", "")), reasoning=said)]
    return []


def _key(key: str) -> str:
    return _KEYS.get(key.casefold(), key if len(key) == 1 else key[:1].upper() + key[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the WebArena runs in the neutral format, without the answers.")
    parser.add_argument("--data", type=Path, help="folder of the data (default: ../shared/data beside the checkout)")
    parser.add_argument("--seed", type=int, default=1, help="of the order (default: 1)")
    parser.add_argument("--passing", action="store_true", help="only the runs that passed")
    parser.add_argument("--limit", type=int, help="only the first N of them")
    parser.add_argument("--out", type=Path, help="file to write (default: stdout)")
    options = parser.parse_args()
    runs = load(options.data, seed=options.seed, passing=options.passing, limit=options.limit)
    with options.out.open("w", encoding="utf-8") if options.out else nullcontext(sys.stdout) as out:
        for each in runs:
            out.write(json.dumps(trajectory_to_json(each.trajectory), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
