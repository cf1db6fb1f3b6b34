"""The neutral format: what it needs, what it refuses and how it says so, and that nothing is lost on the way."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem.importers import Refusal, read
from graphmem.importers.neutral import NeutralImporter, trajectory_of
from graphmem.importers.schema import faults, json_schema
from graphmem.importers.source import Source
from graphmem.model.secrets import masked
from graphmem.model.target import Locator, Near, Target, pairs
from graphmem.model.trajectory import (
    OPERATIONS,
    OUTCOMES,
    Page,
    Step,
    Trajectory,
    trajectory_from_json,
    trajectory_to_json,
)

DOCS = Path(__file__).parents[2] / "docs"

RECORD: dict[str, Any] = {"task": "Find a flight", "steps": [{"op": "click", "target": {"name": "Search"}}]}


def write(folder: Path, text: str, name: str = "a.jsonl") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def reading(folder: Path, *records: Any) -> list[Trajectory | Refusal]:
    return list(read([write(folder, "".join(json.dumps(record) + "\n" for record in records))]))


def one(folder: Path, record: Any) -> Trajectory:
    (found,) = reading(folder, record)
    assert isinstance(found, Trajectory), found
    return found


def refusal(folder: Path, record: Any) -> Refusal:
    (found,) = reading(folder, record)
    assert isinstance(found, Refusal), found
    return found


# -- what is needed --------------------------------------------------------------------------------------------------


def test_a_task_and_steps_with_an_operation_are_enough(tmp_path: Path) -> None:
    found = one(tmp_path, RECORD)
    assert (found.task, found.site, found.verdict) == ("Find a flight", "unknown", "unknown")
    assert found.steps == (Step("click", Target(name="Search")),)


def test_a_title_stands_in_for_a_task_and_is_kept_beside_one(tmp_path: Path) -> None:
    assert one(tmp_path, {"title": "Find it", "steps": [{"op": "click"}]}).task == "Find it"
    both = one(tmp_path, RECORD | {"title": "A flight"})
    assert both.task == "Find a flight"
    assert json.loads(both.extra) == {"title": "A flight"}


def test_without_a_site_the_host_of_the_pages_is_taken_and_a_step_elsewhere_names_its_own(tmp_path: Path) -> None:
    steps = [
        {"op": "navigate", "value": "https://www.shop.co.uk/"},
        {"op": "click", "page": {"url": "https://pay.bank.com/x"}},
        {"op": "click"},
        {"op": "click", "page": {"url": "https://shop.co.uk/done"}},
    ]
    found = one(tmp_path, {"task": "Buy", "steps": steps})
    assert found.site == "shop.co.uk"
    assert [step.site for step in found.steps] == ["", "bank.com", "bank.com", ""]
    assert found.sites == ("bank.com", "shop.co.uk")


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://127.0.0.1:8080/a", "127.0.0.1:8080"),
        ("http://localhost:3000/", "localhost:3000"),
        ("https://a.b.example-air.com/", "example-air.com"),
        ("about:blank", "unknown"),
        ("chrome://new-tab-page/", "unknown"),
    ],
)
def test_a_site_is_the_registrable_host_or_host_and_port(tmp_path: Path, url: str, site: str) -> None:
    assert one(tmp_path, {"task": "x", "steps": [{"op": "click", "page": {"url": url}}]}).site == site


def test_a_site_that_the_caller_names_takes_the_place_of_the_recorded_one(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps(RECORD | {"site": "a.example"}))
    (found,) = read([path], site="b.example")
    assert isinstance(found, Trajectory)
    assert found.site == "b.example"


@pytest.mark.parametrize("form", ["object", "indented", "list", "lines", "gzip"])
def test_an_object_a_list_and_lines_are_read_plain_or_gzip(tmp_path: Path, form: str) -> None:
    records = [RECORD] if form in ("object", "indented") else [RECORD, RECORD | {"task": "Another"}]
    text = {
        "object": json.dumps(RECORD),
        "indented": json.dumps(RECORD, indent=2),
        "list": json.dumps(records, indent=2),
    }.get(form, "\n".join(map(json.dumps, records)))
    path = tmp_path / "records.dat"
    path.write_bytes(gzip.compress(text.encode()) if form == "gzip" else text.encode())
    found = list(read([path]))
    assert [t.task for t in found if isinstance(t, Trajectory)] == [record["task"] for record in records]


def test_a_byte_order_mark_before_utf8_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(json.dumps(RECORD | {"task": "Zürich 東京"}, ensure_ascii=False).encode("utf-8-sig"))
    (found,) = read([path])
    assert isinstance(found, Trajectory), found
    assert found.task == "Zürich 東京"


# -- what is refused -------------------------------------------------------------------------------------------------


def test_an_unknown_key_is_refused_by_name_with_the_nearest_known_one(tmp_path: Path) -> None:
    found = refusal(tmp_path, {"task": "x", "steps": [{"op": "click"}, {"op": "click", "target": {"lable": "From"}}]})
    assert found.place == "step 2"
    assert "'lable'" in found.reason
    assert "'label'" in found.reason


def test_an_unknown_key_with_no_near_one_is_told_where_it_could_go(tmp_path: Path) -> None:
    found = refusal(tmp_path, RECORD | {"colour": "fine"})
    assert "'colour'" in found.reason
    assert "'extra'" in found.reason


@pytest.mark.parametrize(
    ("change", "place", "says"),
    [
        ({"task": ""}, "", "no task"),
        ({"task": " \n"}, "", "not blank"),
        ({"steps": "click"}, "", "steps: input should be a valid list"),
        ({"steps": [{"op": "klick"}]}, "step 1", "op: input should be 'navigate'"),
        ({"steps": [{}]}, "step 1", "has no 'op'"),
        ({"steps": [{"op": "click", "value": 5}]}, "step 1", "value: input should be a valid string"),
        ({"steps": [{"op": "click", "target": []}]}, "step 1", "target"),
        ({"reward": 1.5}, "", "reward"),
        ({"reward": True}, "", "reward"),
        ({"outcome": "won"}, "", "outcome"),
        ({"recorded_at": "yesterday"}, "", "recorded_at: must be an ISO 8601 time"),
        ({"recorded_at": "2026-13-45T00:00:00Z"}, "", "recorded_at: must be an ISO 8601 time"),
        ({"schema": "graphmem.trajectory/9"}, "", "schema"),
        ({"extra": []}, "", "extra"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_with_its_place(
    tmp_path: Path, change: dict[str, Any], place: str, says: str
) -> None:
    found = refusal(tmp_path, RECORD | change)
    assert found.place == place
    assert says in found.reason


def test_one_bad_record_never_loses_the_good_ones(tmp_path: Path) -> None:
    good = json.dumps(RECORD)
    bad = [
        '{"task": "x", "steps": [{"op": "cl',
        '{"task": "x", "steps": [1,',
        "[",
        "not json",
        '{"a": NaN}',
        good + " x",
    ]
    text = "\n".join(line for one_bad in bad for line in (one_bad, good)) + "\n"
    found = list(read([write(tmp_path, text)]))
    assert sum(isinstance(item, Trajectory) for item in found) == len(bad)
    places = [item.place for item in found if isinstance(item, Refusal)]
    assert places == [f"line {n}" for n in range(1, 2 * len(bad), 2)]


def test_bytes_that_are_not_utf8_lose_only_their_own_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    good = json.dumps(RECORD).encode()
    path.write_bytes(b"\n".join([good, json.dumps(RECORD).encode().replace(b"flight", b"fl\xff\xfeght"), good]))
    found = list(read([path]))
    assert [type(item) for item in found] == [Trajectory, Refusal, Trajectory]
    assert isinstance(found[1], Refusal)
    assert (found[1].place, found[1].reason) == ("line 2", "holds bytes that are not UTF-8.")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"task": "x", "steps": [], "reward": NaN}', "NaN"),
        ('{"task": "x", "steps": [], "reward": -Infinity}', "Infinity"),
        ('{"task": "x", "steps": [], "extra": {"a": 1e999}}', "too large"),
        ('{"task": "x", "steps": [], "extra": {"a": 9223372036854775808}}', "64 bits"),
        ('{"task": "x", "steps": [], "extra": {"a": ' + "9" * 5000 + "}}", "64 bits"),
        ('{"task": "x\\ud800", "steps": []}', "surrogate"),
        ('{"task": "x", "steps": [], "extra": {"\\udfff": 1}}', "surrogate"),
        ('{"task": "x", "steps": [], "extra": ' + '{"a":' * 200 + "1" + "}" * 201, "nested"),
        ('{"task": "x", "steps": ' + "[" * 100_000, "nested"),
        ('{"task": "x", "steps": [', "cut off"),
        ('{"task": "x", "steps": [],}', "not valid JSON"),
        ('{"task": "x", "steps": []} {"task": "y", "steps": []}', "more text"),
        ('[{"task": "x", "steps": []} {"task": "y", "steps": []}]', "comma"),
        ('[{"task": "x", "steps": []},]', "comma before the end"),
        ('[{"task": "x", "steps": []}', "before the list does"),
        ('[{"task": "x", "steps": []}] x', "after the list"),
    ],
)
def test_what_json_does_not_have_is_refused_with_a_true_reason(tmp_path: Path, text: str, says: str) -> None:
    found = list(read([write(tmp_path, text)], format="jsonl"))
    reasons = [item.reason for item in found if isinstance(item, Refusal)]
    assert any(says in reason for reason in reasons), found


def test_in_a_list_with_one_record_a_line_a_bad_one_is_skipped(tmp_path: Path) -> None:
    lines = [json.dumps(RECORD), '{"task": "x", "steps": [}', json.dumps(RECORD)]
    found = list(read([write(tmp_path, "[\n" + ",\n".join(lines) + "\n]")]))
    assert [type(item) for item in found] == [Trajectory, Refusal, Trajectory]
    assert isinstance(found[1], Refusal)
    assert found[1].place == "record 2 (line 3)"


def test_records_are_read_one_by_one_from_a_stream_without_end() -> None:
    """Neither lines nor a list may be held whole: three records come from input that never ends."""
    for start, between in ((b"", b"\n"), (b"[", b",\n")):
        source = Source("endless", _Endless(start, json.dumps(RECORD).encode() + between), b"")  # type: ignore[arg-type]
        found = NeutralImporter().read(source)
        assert [type(next(found)) for _ in range(3)] == [Trajectory] * 3


class _Endless:
    def __init__(self, start: bytes, unit: bytes) -> None:
        self._held, self._unit = start, unit

    def read(self, size: int) -> bytes:
        data = (self._held + self._unit * (size // len(self._unit) + 1))[:size]
        whole = len(data) - len(self._held)
        self._held = self._unit[whole % len(self._unit) :]
        return data


# -- identity --------------------------------------------------------------------------------------------------------


def test_key_order_outcome_and_file_name_do_not_change_the_key(tmp_path: Path) -> None:
    text = '{"steps": [{"target": {"name": "Search"}, "op": "click"}], "task": "Find a flight"}'
    first, second = one(tmp_path, RECORD), next(read([write(tmp_path, text, "other.json")]))
    assert isinstance(second, Trajectory)
    assert first.key == second.key


def test_the_same_record_with_another_password_has_the_same_key(tmp_path: Path) -> None:
    keys = {
        one(
            tmp_path,
            {"task": f"Log in with {word}", "steps": [{"op": "type", "target": {"name": "Password"}, "value": word}]},
        ).key
        for word in ("hunter2x", "S3cr3t!!")
    }
    assert len(keys) == 1


# -- the schema ------------------------------------------------------------------------------------------------------


def test_the_json_schema_that_is_checked_in_is_the_one_of_the_code() -> None:
    assert json.loads((DOCS / "trajectory.schema.json").read_text(encoding="utf-8")) == json_schema()


def test_the_json_schema_takes_the_example_of_the_documentation_and_refuses_a_spelling_mistake() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(json_schema())
    document = trajectory_to_json(Trajectory("x", (Step("click", Target(name="y"), page=Page("https://a.example")),)))
    assert validator.is_valid(document)
    assert validator.is_valid({"title": "x", "steps": [{"op": "click"}]})
    assert not validator.is_valid({"steps": [{"op": "click"}]})
    assert not validator.is_valid({"task": "x", "steps": [{"op": "click", "vlaue": "y"}]})


# -- round trips -----------------------------------------------------------------------------------------------------

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
word = st.text(st.characters(codec="ascii", categories=["Ll"]), min_size=1, max_size=6)
json_value = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
json_object = st.dictionaries(text, json_value, max_size=3).map(lambda d: json.dumps(d, ensure_ascii=False))
targets = st.builds(
    Target,
    role=text,
    name=text,
    label=text,
    placeholder=text,
    text=text,
    test_id=text,
    tag=text,
    attributes=st.dictionaries(text, text, max_size=3).map(pairs),
    near=st.builds(Near, form=text, section=text, row=text, column=text, position=text),
    frame=st.lists(text, max_size=2).map(tuple),
    shadow=st.lists(text, max_size=2).map(tuple),
    locators=st.lists(st.builds(Locator, kind=text, value=text), max_size=2).map(tuple),
)
pages = st.builds(Page, url=text, title=text, sketch=st.lists(targets, max_size=2).map(tuple), screenshot=text)
steps = st.builds(
    Step,
    op=st.sampled_from(OPERATIONS),
    target=st.none() | targets,
    to=st.none() | targets,
    value=text,
    secret=st.booleans(),
    reasoning=text,
    site=text,
    tab=text,
    page=st.none() | pages,
    after=st.none() | pages,
    error=text,
)
trajectories = st.builds(
    Trajectory,
    task=word,
    steps=st.lists(steps, max_size=3).map(tuple),
    site=word,
    domain=text,
    outcome=st.sampled_from(OUTCOMES),
    reward=st.none() | st.floats(0, 1),
    run_id=word,
    recorded_at=st.sampled_from(["", "2026-11-30T10:00:00Z", "2026-11-30", "2026-11-30 10:00:00.123456+02:00"]),
    template=text,
    source=json_object.map(
        lambda t: json.dumps(json.loads(t), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    ),
    answer=text,
    extra=json_object.map(
        lambda t: json.dumps(json.loads(t), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    ),
)
slow = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], deadline=None, max_examples=50
)


@slow
@given(trajectories)
def test_a_trajectory_is_the_same_after_a_trip_through_the_neutral_form(trajectory: Trajectory) -> None:
    assert trajectory_from_json(json.loads(json.dumps(trajectory_to_json(trajectory)))) == trajectory


@slow
@given(trajectories)
def test_what_the_neutral_form_writes_is_valid_and_reads_back_as_it_was_masked(trajectory: Trajectory) -> None:
    once = masked(trajectory)
    document = json.loads(json.dumps(trajectory_to_json(once)))
    assert faults(document) == []
    again = trajectory_of(document)
    assert again == once
    assert again.key == once.key


@slow
@given(trajectories)
def test_a_record_of_all_known_keys_loses_nothing_on_its_way_in_and_out(trajectory: Trajectory) -> None:
    document = trajectory_to_json(masked(trajectory))
    assert trajectory_to_json(trajectory_of(json.loads(json.dumps(document)))) == document
