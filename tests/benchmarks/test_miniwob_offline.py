"""The measure of programs from demonstrations: what its reader keeps of a record, and how strict its scorer is."""

from __future__ import annotations

from typing import Any

from benchmarks.miniwob_offline_reader import Demonstration, Meant, Screen
from benchmarks.miniwob_offline_score import explained
from benchmarks.miniwob_offline_systems import Expected
from benchmarks.miniwob_reader import effects
from graphmem.model.target import Target
from graphmem.model.trajectory import Page


def node(ref: int, tag: str, text: str = "", **more: Any) -> dict[str, Any]:
    return {"r": ref, "g": tag, "t": text, "b": [0, 20 * ref, 50, 10]} | more


def page(*nodes: dict[str, Any]) -> dict[str, Any]:
    return node(0, "BODY", ch=list(nodes))


def step(action: str, ref: int, tag: str, dom: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    target = {"ref": ref, "tag": tag, "box": [0, 20 * ref, 50, 10]} if ref else {}
    return {"action": action, "target": target, "dom": dom, "x": 5, "y": 5, "t": 0} | more


def acts(*steps: dict[str, Any], start: dict[str, Any], utterance: str = "Do it.") -> list[tuple[str, int, str]]:
    found = effects({"utterance": utterance, "start_dom": start, "steps": list(steps)})
    return [(act.op, act.element.ref if act.element else 0, act.value) for act in found]


FORM = (node(1, "INPUT_text", v=""), node(2, "INPUT_text", v=""), node(3, "BUTTON", "Send"), node(4, "P", "Words"))


def form(first: str = "", second: str = "") -> dict[str, Any]:
    return page(FORM[0] | {"v": first}, FORM[1] | {"v": second}, FORM[2], FORM[3])


def test_a_click_that_focuses_a_scroll_tab_and_a_click_on_words_bear_no_effect() -> None:
    done = acts(
        step("click", 1, "INPUT_text"),
        step("type", 1, "INPUT_text", text="Oslo", value_before="", value_after="Oslo"),
        step("key", 1, "INPUT_text", form("Oslo"), key="Tab"),
        step("scroll", 4, "P"),
        step("click", 4, "P"),
        step("click", 0, ""),
        step("click", 3, "BUTTON"),
        start=form(),
    )
    assert done == [("type", 1, "Oslo"), ("click", 3, "")]


def test_a_button_stays_though_nothing_was_seen_to_come_of_it() -> None:
    done = acts(step("click", 3, "BUTTON"), step("type", 1, "INPUT_text", text="a"), start=form())
    assert done == [("click", 3, ""), ("type", 1, "a")]


def test_a_field_filled_twice_keeps_its_last_value_and_fields_stand_in_the_order_of_the_page() -> None:
    done = acts(
        step("type", 2, "INPUT_text", text="b", value_before=""),
        step("type", 1, "INPUT_text", form("", "b"), text="x", value_before=""),
        step("type", 2, "INPUT_text", form("x", "b"), text="c", value_before="b"),
        step("click", 3, "BUTTON", form("x", "bc")),
        start=form(),
    )
    assert done == [("type", 1, "x"), ("type", 2, "bc"), ("click", 3, "")]


def test_what_was_pasted_or_set_by_a_native_field_is_its_value() -> None:
    dated = page(node(1, "INPUT_date", v="2014-03-04"), FORM[2])
    done = acts(
        step("click", 1, "INPUT_date"),
        step("click", 1, "INPUT_date", effects=[{"ref": 1, "tag": "INPUT_date", "from": "", "to": "2014-03-04"}]),
        step("click", 3, "BUTTON", dated),
        start=page(node(1, "INPUT_date", v=""), FORM[2]),
    )
    assert done == [("type", 1, "2014-03-04"), ("click", 3, "")]


def test_a_box_ticked_and_unticked_is_left_out_and_one_ticked_again_counts_once() -> None:
    def boxes(one: bool, two: bool) -> dict[str, Any]:
        return page(node(1, "INPUT_checkbox", v=one), node(2, "INPUT_checkbox", v=two), FORM[2])

    done = acts(
        step("click", 1, "INPUT_checkbox"),
        step("click", 2, "INPUT_checkbox", boxes(True, False)),
        step("click", 1, "INPUT_checkbox", boxes(True, True)),
        step("click", 2, "INPUT_checkbox", boxes(False, True)),
        step("click", 2, "INPUT_checkbox", boxes(False, False)),
        step("click", 3, "BUTTON", boxes(False, True)),
        start=boxes(False, False),
    )
    assert done == [("click", 2, ""), ("click", 3, "")]


def test_a_click_on_a_label_is_one_on_its_field() -> None:
    start = page(node(5, "LABEL", "Red", ch=[node(6, "INPUT_checkbox", v=False)]), FORM[2])
    ticked = page(node(5, "LABEL", "Red", ch=[node(6, "INPUT_checkbox", v=True)]), FORM[2])
    label = step("click", 5, "LABEL", forwarded={"ref": 6, "tag": "INPUT_checkbox", "box": [0, 120, 50, 10]})
    assert acts(label, step("click", 3, "BUTTON", ticked), start=start) == [("click", 6, ""), ("click", 3, "")]


def test_a_choice_whose_options_were_not_recorded_is_the_one_that_the_instruction_names() -> None:
    done = acts(
        step("click", 7, "SELECT"), step("click", 7, "SELECT", y=-80), step("click", 3, "BUTTON"),
        start=page(node(7, "SELECT"), FORM[2]), utterance="Select Ghana from the list and click Submit.",
    )  # fmt: skip
    assert done == [("select", 7, "Ghana"), ("click", 3, "")]


def test_a_row_of_texts_is_its_first_text_and_an_icon_the_words_beside_it() -> None:
    def row(ref: int) -> dict[str, Any]:
        return node(ref, "DIV", c="mail", ch=[node(ref + 1, "DIV", "Ann"), node(ref + 2, "DIV", "Hello")])

    start = page(row(10), row(20), node(30, "LI", ch=[node(31, "DIV", c="arrow"), node(32, "SPAN", "Files")]))
    opened = page(FORM[3], start["ch"][2])
    done = acts(step("click", 22, "DIV"), step("click", 31, "DIV", opened), start=start)
    assert [ref for _, ref, _ in done] == [21, 32]


# -- the scorer ----------------------------------------------------------------------------------------------------------


class Scripted:
    """Offers what it was given, whatever it is shown."""

    def __init__(self, *offers: tuple[Expected, ...]) -> None:
        self.offers = list(offers)

    def next(self, page: Page) -> tuple[Expected, ...]:
        return self.offers[0] if self.offers else ()

    def done(self, act: Expected, page: Page) -> None:
        del self.offers[0]


SCREEN = Screen(
    Page(sketch=(Target("checkbox", "a"), Target("checkbox", "b"), Target("button", "Go"))), ("1 I ", "2 I ", "3 B ")
)


def shown(*steps: tuple[str, int, str]) -> Demonstration:
    return Demonstration("", tuple(Meant(op, index, value, SCREEN) for op, index, value in steps))


def clicks(*indexes: int) -> tuple[Expected, ...]:
    return tuple(Expected("click", index) for index in indexes)


def test_every_act_must_be_due_and_nothing_left_at_the_end() -> None:
    wanted = shown(("click", 0, ""), ("click", 2, ""))
    assert explained(Scripted(clicks(0), clicks(2)), wanted).whole
    assert not explained(Scripted(clicks(2), clicks(0)), wanted).whole
    assert not explained(Scripted(clicks(0)), wanted).whole
    assert not explained(Scripted(clicks(0), clicks(2), clicks(1)), wanted).whole


def test_a_set_is_free_in_its_order_only_where_all_of_it_is_done() -> None:
    assert explained(Scripted(clicks(0, 1), clicks(0), clicks(2)), shown(*(("click", n, "") for n in (1, 0, 2)))).whole
    assert not explained(Scripted(clicks(0, 1), clicks(2)), shown(("click", 1, ""), ("click", 2, ""))).whole


def test_values_are_equal_but_for_case_and_only_a_search_may_be_a_beginning() -> None:
    typed = shown(("type", 0, "Oslo"))
    assert explained(Scripted((Expected("type", 0, "oslo"),)), typed).whole
    assert not explained(Scripted((Expected("type", 0, "Os"),)), typed).whole
    searched = Demonstration("", (Meant("type", 0, "Os", SCREEN, True),))
    assert explained(Scripted((Expected("type", 0, "Oslo"),)), searched).whole
