"""MiniWoB++ acts as steps in the neutral form, and a demonstration as a record; shared by every form of the data.

What is acted on is the control that an event was meant for: the button around a word, the field of a label. A choice from
a native list leaves no trace but clicks on the list at places outside the page: its value is the option that the
instruction names, and ``extra`` says that it was inferred.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.importers.miniwob_acts import Act
from graphmem.importers.miniwob_dom import State
from graphmem.importers.records import Wrong
from graphmem.model.element import Node, Tree, control_of, is_control, role_of, sketch_of, target_of
from graphmem.model.target import target_to_json
from graphmem.model.trajectory import Page, page_to_json

DOMAIN = "miniwob"
#: Where an instruction names what to choose from a list whose options were not recorded.
_CHOICE = re.compile(r"\b(?:select|choose|pick)\s+(?P<value>.+?)\s+(?:from|in|on)\b", re.IGNORECASE)
#: A task's name at the beginning of a file name: ``login-user_3TYC...json.gz``.
_FILE = re.compile(r"(?P<task>[A-Za-z][\w.-]*?)_\w+$")


def site_of_task(task: str) -> str:
    """Every task is a small application of its own."""
    return f"{task}.{DOMAIN}"


def task_of_file(name: str) -> str:
    """The task in the name of a file whose record does not name one; "" where there is none."""
    match = _FILE.match(name.removesuffix(".gz").removesuffix(".json"))
    return match["task"] if match else ""


def record_of(
    *,
    task: str,
    utterance: Any,
    fields: Any,
    raw_reward: Any,
    reward: Any,
    acts: Sequence[Act],
    source: Mapping[str, str],
) -> dict[str, Any]:
    """The neutral form of a demonstration, not yet masked. Wrong says what it lacks."""
    if not isinstance(utterance, str) or not utterance.strip():
        raise Wrong("has no utterance.")
    instruction, said = instruction_of(utterance)
    steps, inferred = steps_of(acts, instruction)
    if not steps:
        raise Wrong("has no steps: nothing was done in it.")
    notes = {"task": task, "fields": said or fields or {}, "reward": reward, "inferred": inferred}
    record = {
        "task": instruction,
        "site": site_of_task(task),
        "domain": DOMAIN,
        "source": {"tool": "miniwob", **source},
        "steps": steps,
        "extra": {"miniwob": {key: value for key, value in notes.items() if value not in (None, {}, [], "")}},
    }
    return record | _outcome(raw_reward, reward)


def instruction_of(utterance: str) -> tuple[str, dict[str, Any]]:
    """The instruction in words, and its fields where the utterance is a JSON object of them, as text."""
    if not utterance.lstrip().startswith("{"):
        return utterance.strip(), {}
    try:
        fields = json.loads(utterance)
    except (ValueError, RecursionError):
        return utterance.strip(), {}
    if not isinstance(fields, dict) or not all(isinstance(v, str | int | float) for v in fields.values()):
        return utterance.strip(), {}
    return "; ".join(f"{name}: {value}" for name, value in fields.items()), fields


def _outcome(raw_reward: Any, reward: Any) -> dict[str, Any]:
    """``rawReward`` is what was reached, ``reward`` the same less the time it took: success is 1 of the first, some of the
    second."""
    if not isinstance(raw_reward, int | float) or isinstance(raw_reward, bool):
        return {"outcome": "unknown"}
    reached = min(max(float(raw_reward), 0.0), 1.0)
    too_late = isinstance(reward, int | float) and reward <= 0
    return {"reward": 0.0 if too_late and reached == 1.0 else reached}


def steps_of(acts: Sequence[Act], instruction: str) -> tuple[list[dict[str, Any]], list[int]]:
    """The steps, and the numbers (from one) of those whose value was inferred from the instruction."""
    steps: list[dict[str, Any]] = []
    inferred: list[int] = []
    shown: dict[int, dict[str, Any] | None] = {}
    for number, act in enumerate(acts):
        if (list_box := _list_of(act)) is not None:
            if number and _list_of(acts[number - 1]) is not None and _same_list(acts[number - 1], act):
                continue
            made, is_told = _choice(list_box, _run(acts, number), instruction)
            inferred += [] if is_told else [len(steps) + 1]
        else:
            made = _step(act)
        if id(act.state) not in shown:
            shown[id(act.state)] = page_to_json(Page(sketch=sketch_of(act.state.tree)))
        steps.append(made | {"page": shown[id(act.state)]})
    return steps, inferred


def _step(act: Act) -> dict[str, Any]:
    op, node, value = act.kind, act.node, act.value
    if op == "type" and node is None:
        # Typing where nothing has the focus does nothing; the keys are kept.
        return {"op": op, "value": value, "error": "nothing had the focus"}
    step: dict[str, Any] = {"op": op, "value": value}
    if node is not None:
        step["target"] = _target(act.state, node)
    if act.to is not None:
        step["to"] = _target(act.state, act.to)
    return step


def _target(state: State, node: Node) -> dict[str, Any]:
    control = control_of(state.tree, node)
    meant = control if is_control(state.tree, control) else _words_of(state.tree, control)
    return target_to_json(target_of(state.tree, meant))


def _words_of(tree: Tree, node: Node) -> Node:
    """What a click outside every control was on, by one name: the words beside an icon, or the first text of a row that
    holds nothing but texts. Neither handlers nor cursors were recorded, and people hit any part of such a row."""
    parent = tree.parent(node)
    if parent is None:
        return node
    siblings = parent.children
    if not node.children and not node.text.strip():
        beside = siblings[siblings.index(node) + 1 :][:1]
        return beside[0] if beside and _says(beside[0]) else node
    if not (_says(node) and len(siblings) > 1 and all(map(_says, siblings)) and parent.get("class")):
        return node
    alike = [n for n in tree.nodes if n.tag == parent.tag and n.get("class") == parent.get("class")]
    return siblings[0] if len(alike) > 1 else node


def _says(node: Node) -> bool:
    return node.tag in ("div", "span", "p", "b", "em", "strong") and bool(node.text.strip()) and not node.children


# -- native lists ----------------------------------------------------------------------------------------------------


def _list_of(act: Act) -> Node | None:
    """The native list that an act is a choice from."""
    if act.node is None or act.kind not in ("click", "dblclick", "type", "press", "drag"):
        return None
    if act.kind == "press" and act.value in ("Tab", "Shift+Tab"):
        return None
    outer = (act.node, *act.state.tree.ancestors(act.node))
    return next((node for node in outer if node.tag == "select"), None)


def _same_list(one: Act, other: Act) -> bool:
    """Whether two acts are one choice: both on the list itself, or on one option of it."""
    first, second = _list_of(one), _list_of(other)
    if first is None or second is None or first.ref != second.ref:
        return False
    options = [act.node.ref for act in (one, other) if act.node is not None and act.node.tag == "option"]
    return len(options) < 2 or options[0] == options[1]


def _run(acts: Sequence[Act], start: int) -> list[Act]:
    """The acts from ``start`` on that are the same choice."""
    run = [acts[start]]
    while start + len(run) < len(acts) and _same_list(run[-1], acts[start + len(run)]):
        run.append(acts[start + len(run)])
    return run


def _choice(list_box: Node, run: Sequence[Act], instruction: str) -> tuple[dict[str, Any], bool]:
    """A choice from a list, and whether the recording tells what was chosen."""
    first = run[0]
    options = [act.node for act in run if act.node is not None and act.node.tag == "option"]
    value = " ".join(options[-1].text.split()) if options else _named(first.state, list_box, instruction)
    target = target_to_json(target_of(first.state.tree, list_box))
    return {"op": "select", "target": target, "value": value}, bool(options)


def _named(state: State, list_box: Node, instruction: str) -> str:
    """The option that the instruction names: of those recorded, else what it says is to be chosen."""
    texts = (" ".join(n.text.split()) for n in state.tree.inside(list_box) if role_of(state.tree, n) == "option")
    named = [text for text in texts if text and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", instruction)]
    if named:
        return max(named, key=len)
    match = _CHOICE.search(instruction)
    return match["value"] if match else ""
