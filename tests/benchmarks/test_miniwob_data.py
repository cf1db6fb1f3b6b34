"""The loader of the light MiniWoB++ demonstrations: on lines made here, and on the real files where they are."""

import json
from pathlib import Path

import pytest

from benchmarks import miniwob_data
from benchmarks.frame import data_folder
from graphmem.importers import read
from graphmem.model.trajectory import Trajectory, trajectory_from_json


def at(tag, ref, box, *children, **given):
    return {"g": tag, "r": ref, "b": box, **given} | ({"ch": list(children)} if children else {})


def target(tag, ref, box, **given):
    return {"ref": ref, "tag": tag, "box": box, **given}


FIELD, SECRET, LOGIN = [7, 78, 124, 22], [7, 131, 104, 22], [2, 168, 87, 32]


def page(name="", word=""):
    return at(
        "BODY", 12, [0, 0, 900, 210],
        at("P", 16, [2, 62, 156, 43], at("LABEL", 17, [2, 62, 48, 11], t="Username"), at("INPUT_text", 18, FIELD, v=name)),
        at("P", 19, [2, 115, 156, 43], at("LABEL", 20, [2, 115, 47, 11], t="Password"),
           at("INPUT_password", 21, SECRET, v=word)),
        at("BUTTON", 22, LOGIN, t="Login"),
    )  # fmt: skip


def line(*steps, **more):
    made = {"task": "login-user", "source": "turk/login-user/login-user_3B4_d2.json.gz", "blob": "b1", "fields": {},
            "utterance": 'Enter "keli" and the password "yBN9xx" and press login.', "reward": 0.4, "raw_reward": 1,
            "start_dom": page(), "steps": list(steps)}  # fmt: skip
    return made | more


def did(trajectory):
    return [(step.op, step.target.called() if step.target else "", step.value) for step in trajectory.steps]


def test_a_line_becomes_a_trajectory_whose_password_is_masked():
    read_ = miniwob_data.trajectory(
        line(
            {"action": "click", "target": target("INPUT_text", 18, FIELD)},
            {"action": "type", "target": target("INPUT_text", 18, FIELD), "text": "keli", "value_after": "keli"},
            {"action": "type", "target": target("INPUT_password", 21, SECRET), "text": "yBN9xx", "dom": page("keli")},
            {"action": "click", "target": target("BUTTON", 22, LOGIN), "dom": page("keli", "yBN9xx")},
        )
    )
    assert did(read_) == [
        ("click", "Username", ""), ("type", "Username", "keli"), ("type", "Password", "{password}"), ("click", "Login", ""),
    ]  # fmt: skip
    assert (read_.site, read_.domain, read_.run_id, read_.verdict) == ("login-user.miniwob", "miniwob", "b1", "success")
    assert "yBN9xx" not in repr(read_)


def test_a_page_that_did_not_change_is_the_one_before():
    steps = miniwob_data.trajectory(
        line(
            {"action": "click", "target": target("INPUT_text", 18, FIELD), "dom": page("a")},
            {"action": "click", "target": target("BUTTON", 22, LOGIN)},
        )
    ).steps
    assert steps[0].page == steps[1].page
    assert "a" in [t.attribute("value") for t in steps[0].page.sketch]


def test_keys_that_change_a_field_are_typings_and_others_keys():
    field = target("INPUT_text", 18, FIELD)
    read_ = miniwob_data.trajectory(
        line(
            {"action": "key", "target": {}, "key": "c", "mods": ["Control"]},
            {
                "action": "key",
                "target": field,
                "key": "v",
                "mods": ["Control"],
                "value_before": "",
                "value_after": "keli",
            },
            {"action": "key", "target": field, "key": "Backspace", "value_before": "keli", "value_after": "kel"},
            {"action": "key", "target": field, "key": " "},
        )
    )
    assert did(read_) == [
        ("press", "", "Control+c"), ("type", "Username", "keli"), ("type", "Username", "kel"), ("press", "Username", "Space"),
    ]  # fmt: skip


def test_without_pages_no_step_has_one():
    read_ = miniwob_data.trajectory(line({"action": "click", "target": target("BUTTON", 22, LOGIN)}), pages=False)
    assert [step.page for step in read_.steps] == [None]
    assert read_.steps[0].target.called() == "Login"


def test_no_data_says_where_it_was_looked_for(tmp_path):
    with pytest.raises(FileNotFoundError, match=str(tmp_path)):
        miniwob_data.load(tmp_path)


@pytest.fixture
def real():
    folder = data_folder()
    if not (folder / "miniwob").is_dir():
        pytest.skip(f"the measuring data is not at {folder}; set GRAPHMEM_DATA to its folder")
    return folder


@pytest.mark.shared
def test_the_light_and_the_full_form_of_a_demonstration_are_the_same_trajectory(real):
    full = [item for item in read([real / "miniwob" / "full"]) if isinstance(item, Trajectory)]
    tasks = ("login-user", "email-inbox-nl-turk", "book-flight-nodelay")
    light = {(t.task, len(t.steps)): t for t in miniwob_data.load(real, tasks=tasks)}
    assert len(full) == 9
    for trajectory in full:
        assert light[trajectory.task, len(trajectory.steps)].steps == trajectory.steps


@pytest.mark.shared
def test_two_demonstrations_of_every_task_are_read_and_written_out_again(real, tmp_path, monkeypatch):
    found = miniwob_data.load(real, limit=2)
    assert len({t.site for t in found}) == 63
    assert {t.verdict for t in found} == {"success"}
    out = tmp_path / "m.jsonl"
    monkeypatch.setattr(
        "sys.argv", ["x", "--data", str(real), "--task", "choose-list", "--limit", "3", "--out", str(out)]
    )
    miniwob_data.main()
    written = [trajectory_from_json(json.loads(text)) for text in Path(out).read_text(encoding="utf-8").splitlines()]
    assert written == miniwob_data.load(real, tasks=("choose-list",), limit=3)
    assert [step.op for step in written[0].steps] == ["select", "click"]
