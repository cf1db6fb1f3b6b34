"""The loader of the Mind2Web records: on records made here, and on the real file where it lies beside the checkout."""

import gzip
import json

import pytest

from benchmarks import mind2web_data, obs
from benchmarks.frame import data_folder
from graphmem.model.target import target_to_json
from graphmem.model.trajectory import trajectory_to_json

PAGE = (
    "<html> <title> Boats for hire </title> <div> <a id=90 boats> Boats </a> <span> Pick one </span>"
    " <input id=7 text harbour /> <select id=8 size> <option s true> Small </option> <option l> Large </option> </select>"
    " <button id=3 button> <span> Book now </span> </button> </div> </section> </html>"
)


def step(op="CLICK", label="Boats", role="link", **more):
    return {"op": op, "role": role, "label": label, "repr": "", "positives": 1, **more}


def record(*steps, task="Hire a small boat in Bergen"):
    return {"id": "r1", "website": "boats", "domain": "Travel", "subdomain": "Sea", "task": task, "steps": list(steps)}


def test_a_record_becomes_a_trajectory_of_its_site_and_domain():
    read = mind2web_data.trajectory(record(step(), step("TYPE", "Harbour", "textbox", value="Bergen")))
    assert (read.site, read.domain, read.task, read.run_id) == ("boats", "Travel", "Hire a small boat in Bergen", "r1")
    assert read.verdict == "success"
    assert [(s.op, s.target.role, s.target.name, s.value) for s in read.steps] == [
        ("click", "link", "Boats", ""),
        ("type", "textbox", "Harbour", "Bergen"),
    ]


def test_what_was_folded_into_click_is_unfolded():
    read = mind2web_data.trajectory(record(step(original_op="HOVER"), step(original_op="ENTER")))
    assert [(s.op, s.value) for s in read.steps] == [("hover", ""), ("press", "Enter")]


def test_a_value_that_lost_its_colons_is_taken_from_the_printed_form():
    read = mind2web_data.trajectory(record(step("SELECT", "Time", "combobox", value="5 00 PM", repr_value="5:00 PM")))
    assert read.steps[0].value == "5:00 PM"


def test_glyphs_of_icon_fonts_are_no_part_of_a_name():
    assert mind2web_data.trajectory(record(step(label="Book Now \uf078"))).steps[0].target.name == "Book Now"


def test_attributes_keep_their_real_names_and_lose_numbers_boxes_and_what_was_typed_before():
    element = {
        "tag": "input", "type": "text", "aria_label": "Harbour", "placeholder": "Where?", "value": "Oslo", "name": "from",
        "input_value": "Oslo", "bounding_box_rect": "1,2,3,4", "backend_node_id": "77", "original": True,
    }  # fmt: skip
    target = (
        mind2web_data.trajectory(record(step("TYPE", "Harbour", "textbox", value="x", target=element))).steps[0].target
    )
    assert (target.tag, target.placeholder) == ("input", "Where?")
    assert dict(target.attributes) == {"aria-label": "Harbour", "name": "from", "type": "text"}


def test_the_value_of_a_checkbox_says_which_one_it_is_and_stays():
    element = {"tag": "input", "type": "checkbox", "value": "hike", "original": True}
    assert mind2web_data.trajectory(record(step(target=element))).steps[0].target.attribute("value") == "hike"


def test_what_is_typed_into_a_password_field_is_masked_in_the_step_and_in_the_task():
    element = {"tag": "input", "type": "password", "original": True}
    typed = step("TYPE", "Password", "textbox", value="opensesame9", target=element)
    read = mind2web_data.trajectory(record(typed, task="Log in with the password opensesame9"))
    assert read.steps[0].secret
    assert "opensesame9" not in json.dumps(trajectory_to_json(read))
    assert read.steps[0].value in read.task


def test_a_page_is_read_in_document_order_without_the_numbers_that_give_the_answer_away():
    sketch = obs.sketch(PAGE)
    assert [(t.role, t.name) for t in sketch] == [
        ("link", "Boats"),
        ("", "Pick one"),
        ("textbox", "harbour"),
        ("combobox", "size"),
        ("option", "Small"),
        ("option", "Large"),
        ("button", "Book now"),
    ]
    assert obs.title(PAGE) == "Boats for hire"
    assert not any("id" in target_to_json(t)["attributes"] for t in sketch)


def test_numbers_of_nodes_change_nothing():
    assert obs.sketch(PAGE) == obs.sketch(PAGE.replace("id=90 ", "").replace("id=3 ", "id=12345 "))


def test_pages_can_be_left_out():
    read = record(step(obs=PAGE))
    assert mind2web_data.trajectory(read).steps[0].page.title == "Boats for hire"
    assert mind2web_data.trajectory(read, pages=False).steps[0].page is None


def test_the_file_is_read_up_to_the_limit(tmp_path):
    (tmp_path / "mind2web").mkdir()
    with gzip.open(tmp_path / mind2web_data.FILE, "wt", encoding="utf-8") as out:
        for name in "abc":
            out.write(json.dumps(record(step()) | {"id": name}) + "\n")
    assert [t.run_id for t in mind2web_data.load(tmp_path, limit=2)] == ["a", "b"]
    assert len({t.key for t in mind2web_data.load(tmp_path)}) == 3


@pytest.mark.shared
def test_all_the_real_records_are_read_and_none_collide():
    if not (data_folder() / mind2web_data.FILE).exists():
        pytest.skip(f"NO MEASURING DATA: {data_folder()} is not there; name it with GRAPHMEM_DATA")
    read = mind2web_data.load()
    assert (len(read), sum(len(t.steps) for t in read)) == (1009, 7775)
    assert len({t.key for t in read}) == 1009
    assert len({t.site for t in read}) == 73
    assert sum(s.page is not None for t in read for s in t.steps) == 3790
