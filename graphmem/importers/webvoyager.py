"""WebVoyager's ``interact_messages.json``: the chat of one run, the pages as text and the answers as "Action: Click [3]".

A page is a line of ``[2]: <input> "Search"`` entries (elements that carry a number in the screenshot) or an accessibility
tree. Numbers hold for one page. Typing goes with Enter where the system message says that it does. Screenshots are cut to
a mark before they are published; none is kept. Many files keep only the last pages: of elements on the others
nothing but the number is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.importers.ax_tree import ax_page
from graphmem.importers.places import with_sites
from graphmem.importers.records import Wrong, inside, records
from graphmem.importers.schema import faults
from graphmem.importers.shape import text_of
from graphmem.importers.source import Refusal, Source
from graphmem.model.element import TEXT, Node, Tree, control_of, sketch_of, target_of
from graphmem.model.secrets import mask
from graphmem.model.target import pairs, target_to_json
from graphmem.model.trajectory import Page, Trajectory, page_to_json, trajectory_from_json, with_run_id

_TASK = re.compile(
    r"Now given a task:\s*(?P<task>.*?)\s*Please interact with\s+(?P<url>\S+)\s+and get the answer", re.DOTALL
)
_ELEMENT = re.compile(r"\[(\d+)\]:\s+(?:<(\w+)>\s*)?((?:\"[^\t\n]*?\")(?:,\s*\"[^\t\n]*?\")*)?;")
_ACTION = re.compile(
    r"Action:\s*(?P<name>Click|Type|Scroll|Wait|GoBack|Google|Restart|ANSWER)\b\s*"
    r"(?:\[?(?P<ref>\w+)\]?)?\s*(?:;\s*\[?(?P<value>.*?)\]?)?\s*$",
    re.DOTALL | re.IGNORECASE,
)
_ANSWER = re.compile(r"Action:\s*ANSWER\s*[;:]?\s*(?P<value>.*)$", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"Thought:\s*(.*?)\s*(?=Action:)", re.DOTALL)
_FAILED = re.compile(r"cannot be exe\w*ted|format ERROR|not? valid|couldn't execute", re.IGNORECASE)
_ENTERS = re.compile(r"automatically hits?\s+`?ENTER", re.IGNORECASE)
#: Where "Google" and "Restart" lead.
_START = "https://www.google.com/"
_TAG_ROLES = {"button": "button", "input": "textbox", "textarea": "textbox", "select": "combobox"}


@dataclass(frozen=True)
class _Seen:
    """A page as the agent was shown it, and its elements by number."""

    tree: Tree
    title: str

    def target(self, ref: str) -> dict[str, Any]:
        node = next((node for node in self.tree.nodes if node.ref == ref), None)
        if node is None:
            return {"locators": [{"kind": "number", "value": ref}]}
        return target_to_json(target_of(self.tree, control_of(self.tree, node)))


class WebVoyagerImporter:
    name = "webvoyager"

    def sniff(self, head: bytes, name: str) -> float:
        text = text_of(head)
        is_chat = text.lstrip("\ufeff \t\r\n").startswith("[") and '"role"' in text and '"content"' in text
        return 0.95 if is_chat and ("Numerical_Label" in text or "Now given a task:" in text) else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        messages: list[Any] = []
        for record in records(source):
            if isinstance(record, Refusal):
                yield record
                return
            messages.append(record.value)
        try:
            yield _trajectory(source, messages)
        except Wrong as error:
            yield Refusal(source.name, "", str(error))


def _trajectory(source: Source, messages: Sequence[Any]) -> Trajectory:
    chat = [_message(message, number) for number, message in enumerate(messages, 1)]
    task = next((match for role, text in chat if role == "user" and (match := _TASK.search(text))), None)
    if task is None:
        raise Wrong("has no message that gives a task.")
    enters = any(role == "system" and _ENTERS.search(text) for role, text in chat)
    steps = _steps(chat, enters)
    if not steps:
        raise Wrong("has no actions.")
    record = {
        "task": task["task"],
        "answer": next((step["value"] for step in steps if step["op"] == "answer"), ""),
        "source": {"tool": "webvoyager", "file": source.file},
        "steps": [{"op": "navigate", "value": task["url"].rstrip(".,")}, *steps],
    }
    if found := faults(record):
        raise Wrong(inside(*(f"{at} {reason}".strip() for at, reason in found)))
    vault = mask(record)
    return with_run_id(trajectory_from_json(with_sites(record)), vault.scrub([list(pair) for pair in chat]))


def _message(raw: Any, number: int) -> tuple[str, str]:
    """Role and text of a message; of one in parts, the text parts."""
    content = raw.get("content") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(raw.get("role"), str) or not isinstance(content, str | list):
        raise Wrong(f"message {number} is not an object with a role and content.")
    if isinstance(content, str):
        return raw["role"], content
    texts = [p["text"] for p in content if isinstance(p, dict) and isinstance(p.get("text"), str)]
    return raw["role"], "\n".join(texts)


def _steps(chat: Sequence[tuple[str, str]], enters: bool) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    seen: _Seen | None = None
    for role, text in chat:
        if role == "user":
            shown = _page(text)
            is_complaint = shown is None and bool(_FAILED.search(text))
            if made and is_complaint:
                made[-1]["error"] = "the agent was told that this could not be done"
            # Old pages are left out of many files: numbers must not be looked up in the page before.
            seen = seen if is_complaint else shown
        elif role == "assistant":
            made += _acted(text, seen, enters)
    return made


def _acted(text: str, seen: _Seen | None, enters: bool) -> list[dict[str, Any]]:
    if answer := _ANSWER.search(text):
        steps = [{"op": "answer", "value": answer["value"].strip()}]
    elif match := _ACTION.search(text):
        steps = _step(match, seen, enters)
    else:
        return []  # an answer in another form than asked for: the agent is told so, and nothing is done
    thought = _THOUGHT.search(text)
    page = page_to_json(Page(title=seen.title, sketch=sketch_of(seen.tree))) if seen else None
    return [s | {"reasoning": thought[1] if thought else ""} | ({"page": page} if page else {}) for s in steps]


def _step(match: re.Match[str], seen: _Seen | None, enters: bool) -> list[dict[str, Any]]:
    name, ref, value = match["name"].casefold(), match["ref"] or "", (match["value"] or "").strip()
    target: dict[str, Any] = seen.target(ref) if seen else {"locators": [{"kind": "number", "value": ref}]}
    if name == "click":
        return [{"op": "click", "target": target, "value": ""}]
    if name == "type":
        typed = [{"op": "type", "target": target, "value": value}]
        return [*typed, {"op": "press", "target": target, "value": "Enter"}] if enters else typed
    if name == "scroll":
        return [
            {"op": "scroll", "value": value.casefold()} | ({} if ref.casefold() == "window" else {"target": target})
        ]
    if name == "wait":
        return [{"op": "wait", "value": ""}]
    if name == "goback":
        return [{"op": "press", "value": "Alt+ArrowLeft"}]
    return [{"op": "navigate", "value": _START}]


def _page(text: str) -> _Seen | None:
    """The page in a message; None where it shows none."""
    listed = _ELEMENT.findall(text)
    if listed:
        return _Seen(Tree(Node("body", children=tuple(_listed(*each) for each in listed))), "")
    found = ax_page(text[text.find("[1]") :]) if "[1]" in text else None
    return _Seen(found.tree, found.title) if found else None


def _listed(ref: str, tag: str, told: str) -> Node:
    """``[2]: <input> "Search", "Search here";``: its text and, where another, its aria-label. Without a tag: a link."""
    said = list(dict.fromkeys(part.strip() for part in re.findall(r"\"(.*?)\"(?=,\s*\"|$)", told)))
    role = _TAG_ROLES.get(tag, "" if tag else "link")
    given = {"role": role} if role else {}
    if said:
        # Where there are two, the first is the text and the second the label.
        given["aria-label"] = said[-1]
    children = (Node(TEXT, text=said[0]),) if said and not tag else ()
    return Node(tag or "a", pairs(given), children=children, value="" if tag == "input" else None, ref=ref)
