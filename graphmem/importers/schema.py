"""The neutral format ``graphmem.trajectory/1`` as pydantic models: what a record may hold, and the JSON Schema of it.

Types are strict, so the reader refuses whatever the schema does. A key that is not known is refused by name with the
nearest known one; anything else that a source has to say belongs into ``extra``, which is kept and given back.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic.types import StringConstraints

from graphmem.model.secrets import mask_text

Operation = Literal[
    "navigate", "click", "dblclick", "type", "select", "press", "hover", "scroll", "drag", "upload", "wait", "extract",
    "answer",
]  # fmt: skip
_TIME = r"^(\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?)?$"
#: How many faults of one record are told.
MOST_FAULTS = 3


def _is_a_time(text: str) -> str:
    if text:
        datetime.fromisoformat(text)
    return text


Time = Annotated[str, StringConstraints(pattern=_TIME), AfterValidator(_is_a_time)]
Title = Annotated[str, StringConstraints(pattern=r"[^ \t\r\n]")]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, protected_namespaces=())


class LocatorModel(_Model):
    """A way that the recorder gave to find the element."""

    kind: str
    value: str


class NearModel(_Model):
    """What surrounds the element."""

    form: str = ""
    section: str = ""
    row: str = ""
    column: str = ""
    position: str = ""


class TargetModel(_Model):
    """An element of a page."""

    role: str = ""
    name: str = ""
    label: str = ""
    placeholder: str = ""
    text: str = ""
    test_id: str = ""
    tag: str = ""
    attributes: dict[str, str] = Field(default_factory=dict)
    near: NearModel = Field(default_factory=NearModel)
    frame: list[str] = Field(default_factory=list)
    shadow: list[str] = Field(default_factory=list)
    locators: list[LocatorModel] = Field(default_factory=list)


class PageModel(_Model):
    """A page as seen; ``sketch`` lists elements that a person could use or read, in document order."""

    url: str = ""
    title: str = ""
    sketch: list[TargetModel] = Field(default_factory=list)
    screenshot: str = ""


class StepModel(_Model):
    """One step: what was seen, what was done, what came of it."""

    op: Operation
    target: TargetModel | None = None
    to: TargetModel | None = Field(default=None, description="a second target, for drag")
    value: str = ""
    secret: bool = Field(default=False, description="value is a secret, or the name of one in braces")
    reasoning: str = ""
    site: str = ""
    tab: str = ""
    page: PageModel | None = None
    after: PageModel | None = Field(default=None, description="the page that came of it")
    error: str = ""


class TrajectoryModel(_Model):
    """One recorded try at a task."""

    model_config = ConfigDict(
        title="graphmem.trajectory/1",
        # A record needs a task, or a title to use as one.
        json_schema_extra={"anyOf": [{"required": ["task"]}, {"required": ["title"]}]},
    )

    schema_: Literal["graphmem.trajectory/1"] = Field(default="graphmem.trajectory/1", alias="schema")
    task: Title | None = Field(default=None, description="the instruction")
    title: Title | None = Field(default=None, description="stands in for a task that is missing")
    site: str = ""
    domain: str = ""
    outcome: Literal["success", "failure", "unknown"] = "unknown"
    reward: float | None = Field(default=None, ge=0.0, le=1.0, allow_inf_nan=False)
    run_id: str = ""
    recorded_at: Time = ""
    template: str = Field(default="", description="a known task template, where the source has one")
    source: dict[str, JsonValue] = Field(default_factory=dict)
    answer: str = ""
    steps: list[StepModel]
    extra: dict[str, JsonValue] = Field(default_factory=dict, description="anything else, kept and given back")


_BY_FIELD: Mapping[str, type[_Model]] = {
    "target": TargetModel,
    "to": TargetModel,
    "sketch": TargetModel,
    "near": NearModel,
    "locators": LocatorModel,
    "page": PageModel,
    "after": PageModel,
    "steps": StepModel,
}


def json_schema() -> dict[str, Any]:
    """The published JSON Schema (draft 2020-12)."""
    schema = TrajectoryModel.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema


def faults(record: dict[str, Any]) -> list[tuple[str, str]]:
    """What is wrong with a parsed record, as (place, reason) pairs; none when it is right. No reason quotes a value."""
    if not record.get("task") and not record.get("title"):
        return [("", "has no task, and no title to use as one.")]
    steps = record.get("steps")
    found = _errors(TrajectoryModel, record | {"steps": []} if isinstance(steps, list) else record)
    # Steps are checked one by one, so that a long recording is never in memory twice.
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        if len(found) >= MOST_FAULTS:
            break
        found += _errors(StepModel, step, "steps", index)
    return [_told(*fault) for fault in found[:MOST_FAULTS]]


def _errors(model: type[_Model], value: Any, *path: int | str) -> list[tuple[tuple[int | str, ...], str, str]]:
    """Path, kind and message of what is wrong with a value."""
    try:
        model.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        return [((*path, *fault["loc"]), fault["type"], fault["msg"]) for fault in found]
    return []


def _told(path: Sequence[int | str], kind: str, message: str) -> tuple[str, str]:
    whole = path[:-1] if kind in ("extra_forbidden", "missing") else path
    place, *fields = [*_place(whole)] or [""]
    if not place.startswith("step "):
        place, fields = "", [place, *fields] if place else fields
    return place, ", ".join(fields) + (": " if fields else "") + _reason(path, kind, message)


def _reason(path: Sequence[int | str], kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return _unknown(path)
    if kind == "missing":
        return f"has no {path[-1]!r}."
    if kind in ("value_error", "string_pattern_mismatch"):
        return f"must be {'an ISO 8601 time' if path[-1] == 'recorded_at' else 'text that is not blank'}."
    return message[:1].lower() + message[1:].rstrip(".") + "."


def _unknown(path: Sequence[int | str]) -> str:
    key = str(path[-1])
    owner = next((_BY_FIELD[p] for p in reversed(path[:-1]) if isinstance(p, str) and p in _BY_FIELD), TrajectoryModel)
    known = [field.alias or name for name, field in owner.model_fields.items()]
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}; anything else goes into 'extra'."
    return f"has an unknown key {mask_text(key)[:60]!r}: {hint}"


def _place(path: Sequence[int | str]) -> Iterator[str]:
    """``("steps", 1, "target", "near")`` as ``step 2``, ``target``, ``near``: people count from one."""
    singular = {"steps": "step", "locators": "locator", "sketch": "sketch element"}
    for position, part in enumerate(path):
        before = path[position - 1] if position else ""
        if isinstance(part, int):
            yield f"{singular.get(str(before), before)} {part + 1}"
        elif not (part in singular and position + 1 < len(path) and isinstance(path[position + 1], int)):
            yield mask_text(part)[:60]
