"""Runs of BrowserGym, AgentLab and WebArena agents whose actions are Python calls.

Three forms: ``experiment.log`` (the text that BrowserGym's loop writes, keyed on its line prefix and on ``action:`` alone on
a line, since a thought may hold blank lines; PAPERS A9 says how AWM's own parser loses such runs); one JSON object a run
with ``goal`` and ``steps`` of ``action`` texts; and AWM's ``cleaned_steps.json``, a list of "thought, fenced action" texts.
An element's id holds for one page load, so the role and name that the page's accessibility tree has for it are what is kept.
Pickled steps (``step_0.pkl.gz``) run code when they are read, and are refused as what they are.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmem.importers.ax_tree import AxPage, ax_page
from graphmem.importers.places import with_sites
from graphmem.importers.python_calls import UnreadableCall, calls_of, is_known, steps_of
from graphmem.importers.records import Wrong, inside, records
from graphmem.importers.schema import faults
from graphmem.importers.shape import keys_of, text_of
from graphmem.importers.source import Refusal, Source
from graphmem.model.element import control_of, sketch_of, target_of
from graphmem.model.secrets import mask
from graphmem.model.target import target_to_json
from graphmem.model.trajectory import Page, Trajectory, page_to_json, trajectory_from_json, with_run_id

_PREFIX = re.compile(
    r"^(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:[,.]\d+)?\s+-\s+(?:\d+\s+-\s+)?"
    r"(?P<logger>[\w.]+)\s+-\s+[A-Z]+\s+-\s?(?P<rest>.*)$"
)
_LOOP = "browsergym.experiments.loop"
_CALL = re.compile(
    r'"action"\s*:\s*"\s*(?:```)?\s*(click|fill|type|hover|select_option|press|scroll|goto|noop|go_back|send_msg_to_user|'
    r"tab_focus|new_tab|keyboard_press|dblclick|clear|mouse_click|stop|report_infeasible)\("
)
_CLEANED = re.compile(r'^\s*\[\s*"(?:[^"\\]|\\.)*```')
_GOALS = ("goal", "task", "intent", "instruction", "confirmed_task")
_THOUGHTS = ("think", "thought", "reasoning", "thoughts")
_TREES = ("axtree_txt", "axtree", "axtree_text", "observation")
_ERRORS = ("last_error", "last_action_error")
#: What of a step must be text where it is there.
_TEXTS = (*_THOUGHTS, *_TREES[:-1], *_ERRORS, "url", "title")
_REWARDS = ("cum_reward", "reward", "score")
_MOST_LOG = 1 << 26
_SUMMARY = "summary_info.json"


@dataclass(frozen=True)
class Turn:
    """One step of a run as recorded: ``last_error`` is about the step before it."""

    action: str
    thought: str = ""
    tree: str = ""
    url: str = ""
    title: str = ""
    last_error: str = ""


class BrowserGymImporter:
    name = "browsergym"

    def sniff(self, head: bytes, name: str) -> float:
        text = text_of(head)
        if f"{_LOOP} - INFO" in text:
            return 0.95
        if _CLEANED.match(text):
            return 0.7
        keys = keys_of(head)
        return 0.95 if "steps" in keys and "op" not in keys and _CALL.search(text) else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        head = text_of(source.head)
        if head.lstrip("\ufeff \t\r\n")[:1] not in ("{", "["):
            yield from _from_log(source)
            return
        texts: list[str] = []
        for record in records(source):
            if isinstance(record, Refusal):
                yield record
            elif isinstance(record.value, str):
                texts.append(record.value)
            else:
                yield _made(source, record.place, lambda place, value=record.value: _from_object(source, value, place))
        if texts:
            yield _made(source, "", lambda place: _trajectory(source, source.stem, _cleaned(texts), {}, place))


def _made(source: Source, where: str, make: Any) -> Trajectory | Refusal:
    place = [where]
    try:
        made: Trajectory = make(place)
        return made
    except Wrong as error:
        return Refusal(source.name, inside(*place), str(error))


# -- the three forms -------------------------------------------------------------------------------------------------


def _from_log(source: Source) -> Iterator[Trajectory | Refusal]:
    data = source.stream.read(_MOST_LOG)
    text = codecs.decode(data, source.encoding(), "replace")
    turns = list(_logged(text))
    facts = _summary(source)
    yield _made(source, "", lambda place: _trajectory(source, _title(source, text), turns, facts, place))


def _logged(text: str) -> Iterator[Turn]:
    """Thought and action of each record of the loop's logger; a record without an action is its start or its end."""
    thought: list[str] = []
    action: list[str] | None = None
    for line in [*text.splitlines(), None]:
        match = _PREFIX.match(line) if line is not None else None
        if line is None or match:
            if action is not None:
                yield Turn("\n".join(action).strip(), "\n".join(thought).strip())
            thought, action = [], None
            if match and match["logger"] == _LOOP:
                thought = [match["rest"]]
        elif action is not None:
            action.append(line)
        elif line.strip() == "action:" and thought:
            action = []
        elif thought:
            thought.append(line)


def _title(source: Source, text: str) -> str:
    """The goal where the log says it, else the folder of the run: the log is called the same in all."""
    said = re.search(r"^\s*(?:goal|Goal|intent|Task goal)\s*:\s*(.+)$", text, re.MULTILINE)
    folder = Path(source.name).parent.name if source.name != "-" else ""
    return said[1].strip() if said else folder or source.stem


def _summary(source: Source) -> dict[str, Any]:
    """What the run's own summary beside the log says of its reward; nothing where there is none to read."""
    path = Path(source.name).parent / _SUMMARY
    if source.name == "-" or not path.is_file() or path.stat().st_size > 1 << 20:
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {k: found[k] for k in (*_REWARDS, *_GOALS) if k in found} if isinstance(found, dict) else {}


def _from_object(source: Source, raw: Any, place: list[str]) -> Trajectory:
    if not isinstance(raw, dict) or not isinstance(raw.get("steps"), list):
        raise Wrong("is JSON, but not a run: it has no list of steps.")
    turns = []
    for number, step in enumerate(raw["steps"], 1):
        place.append(f"step {number}")
        turns.append(_turn(step))
        place.pop()
    goal = _first(raw, _GOALS) or source.stem
    return _trajectory(source, goal, turns, raw, place)


def _turn(step: Any) -> Turn:
    """A step; one that was lost when its file was cut short is null, and the run goes on without it."""
    if step is None:
        return Turn("")
    if not isinstance(step, dict) or not isinstance(step.get("action", ""), str | None):
        raise Wrong("is not an object with an action in text.")
    held = [step[key] for key in ("obs", "agent_info") if isinstance(step.get(key), dict)]
    inner = step | {key: value for each in held for key, value in each.items()}
    wrong = [key for key in _TEXTS if inner.get(key) is not None and not isinstance(inner[key], str)]
    if wrong:
        raise Wrong(f"{wrong[0]!r} must be text.")
    return Turn(
        action=step.get("action") or "",
        thought=_first(inner, _THOUGHTS),
        tree=_first(inner, _TREES),
        url=_first(inner, ("url",)),
        title=_first(inner, ("title",)),
        last_error=_first(inner, _ERRORS),
    )


def _cleaned(texts: Sequence[str]) -> list[Turn]:
    """``thought`` and, between fences, ``action``."""
    turns = []
    for text in texts:
        thought, _, rest = text.partition("```")
        turns.append(Turn(f"```{rest}" if rest else "", thought.strip()))
    return turns


def _first(mapping: Mapping[str, Any], keys: Sequence[str]) -> str:
    return next((mapping[key] for key in keys if isinstance(mapping.get(key), str) and mapping[key].strip()), "")


# -- a run -----------------------------------------------------------------------------------------------------------


def _trajectory(
    source: Source, goal: str, turns: Sequence[Turn], facts: Mapping[str, Any], place: list[str]
) -> Trajectory:
    steps, notes = _steps(turns, place)
    if not steps:
        raise Wrong("has no actions that can be read.")
    record: dict[str, Any] = {
        "task": (_first(facts, _GOALS) or goal).strip(),
        "site": _first(facts, ("site",)),
        "source": {"tool": "browsergym", "file": source.file},
        "answer": next((step["value"] for step in reversed(steps) if step["op"] == "answer"), ""),
        "steps": steps,
        "extra": {"browsergym": notes} if notes else {},
    }
    reward = next((facts[key] for key in _REWARDS if _is_number(facts.get(key))), None)
    record |= {"reward": min(max(float(reward), 0.0), 1.0)} if reward is not None else {}
    if found := faults(record):
        raise Wrong(inside(*(f"{at} {reason}".strip() for at, reason in found)))
    vault = mask(record)
    told = [[turn.action, turn.thought, turn.url, turn.last_error] for turn in turns]
    return with_run_id(trajectory_from_json(with_sites(record)), vault.scrub([record["task"], told]))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _steps(turns: Sequence[Turn], place: list[str]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    made: list[dict[str, Any]] = []
    notes: dict[str, Any] = {}
    last: list[dict[str, Any]] = []
    for number, turn in enumerate(turns, 1):
        if turn.last_error and last:
            last[-1]["error"] = turn.last_error
        place.append(f"step {number}")
        try:
            last = _turn_steps(turn, notes, number)
        except UnreadableCall as error:
            # The environment could not read it either, so nothing was done.
            notes.setdefault("not_actions", []).append({"step": number, "action": turn.action, "reason": str(error)})
            last = []
        place.pop()
        made += last
    return made, notes


def _turn_steps(turn: Turn, notes: dict[str, Any], number: int) -> list[dict[str, Any]]:
    seen = ax_page(turn.tree) if turn.tree else None
    page = _page(turn, seen)
    made: list[dict[str, Any]] = []
    for call in calls_of(turn.action):
        if not is_known(call):
            raise Wrong("calls an action that is not known.")
        steps = steps_of(call, lambda ref: _target(ref, seen))
        if not steps:
            notes.setdefault("other_actions", []).append({"step": number, "action": call.name})
        made += [step | {"reasoning": turn.thought} | ({"page": page} if page else {}) for step in steps]
    return made


def _page(turn: Turn, seen: AxPage | None) -> dict[str, Any] | None:
    if not (turn.url or seen):
        return None
    sketch = sketch_of(seen.tree) if seen else ()
    return page_to_json(Page(url=turn.url, title=turn.title or (seen.title if seen else ""), sketch=sketch))


def _target(ref: str, seen: AxPage | None) -> dict[str, Any]:
    """What the page calls the element; only its id of that page load where the page was not kept."""
    node = seen.named(ref) if seen else None
    if seen is None or node is None:
        return {"locators": [{"kind": "bid", "value": ref}]}
    return target_to_json(target_of(seen.tree, control_of(seen.tree, node)))
