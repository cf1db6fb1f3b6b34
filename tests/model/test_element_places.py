"""Which elements count as controls, what events are meant for, and where an element stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphmem.importers.html_node import page_of
from graphmem.model.element import Node, Tree, control_of, is_control, sketch_of, target_of
from graphmem.model.target import Near


def page(html: str) -> Tree:
    return Tree(page_of(html))


def pointed(node: Node, *marks: str) -> Node:
    """The page with the hand-shaped cursor on the elements of these ids and, since it is inherited, on what they hold."""
    here = node.get("id") in marks
    children = tuple(_under(child) if here else pointed(child, *marks) for child in node.children)
    return replace(node, cursor="pointer" if here else "", children=children)


def _under(node: Node) -> Node:
    return replace(node, cursor="pointer", children=tuple(_under(child) for child in node.children))


def near(tree: Tree, mark: str = "x") -> Near:
    return target_of(tree, tree.by_id[mark]).near


def controls(tree: Tree) -> list[str]:
    return [node.get("id") for node in tree.nodes if is_control(tree, node)]


def test_a_page_without_roles_is_operated_by_its_hooks_handlers_and_cursor() -> None:
    html = """<div id=list><div id=hook data-action=archive-email>A</div><div id=js onclick=f()>B</div>
      <span id=tab tabindex=0>C</span><div id=hand><span id=in>D</span></div><div id=plain>E</div></div>"""
    tree = Tree(pointed(page_of(html), "hand"))
    assert controls(tree) == ["hook", "js", "tab", "hand"]


def test_what_only_holds_controls_is_none_though_a_test_looks_for_it() -> None:
    tree = page(
        "<div id=panel data-testid=panel tabindex=0><button id=b>Go</button></div><p id=p data-testid=price>3</p>"
    )
    assert controls(tree) == ["b", "p"]


def test_a_hook_that_lasts_is_the_test_id_and_a_script_or_a_made_up_one_is_not() -> None:
    tree = page(
        "<i id=a data-action=archive-email></i><i id=b onclick='go(1)'></i><i id=c data-testid=row-8812391></i>"
    )
    assert [target_of(tree, tree.by_id[mark]).test_id for mark in "abc"] == ["archive-email", "", ""]
    assert target_of(tree, tree.by_id["a"]).called() == "archive-email"


@pytest.mark.parametrize(
    ("html", "meant"),
    [
        ("<button id=b><b id=x>Save</b></button>", "b"),
        ("<label><span id=x>Aisle</span><input id=f type=radio></label>", "f"),
        ("<label id=x for=f>From</label><input id=f>", "f"),
        ("<label id=x>tied to nothing</label><input id=f>", "x"),
        ("<span id=s class=forward><div class=icon id=''></div><div id=x>Forward</div></span>", "s"),
        ("<div id=d><span id=x class=star></span><span>Mail from Ana</span></div>", "x"),
        ("<div id=d><p>One</p><p id=x>Two</p></div>", "x"),
    ],
)
def test_an_event_is_meant_for_the_control_around_it_or_the_field_of_its_label(html: str, meant: str) -> None:
    tree = page(html)
    assert control_of(tree, tree.by_id["x"]).get("id") == meant


def test_an_icon_and_its_caption_are_one_thing_whichever_was_hit() -> None:
    tree = page("<span class=email-forward><div class=icon></div><div>Forward</div></span><p>Hello</p>")
    outer = tree.root.children[0]
    assert [control_of(tree, child) for child in outer.children] == [outer, outer]
    assert target_of(tree, outer).called() == "Forward"


def test_text_is_meant_for_what_holds_it() -> None:
    tree = page("<p>Hello</p>")
    assert control_of(tree, tree.root.children[0].children[0]).tag == "p"


def test_form_and_section_come_from_names_legends_and_headings() -> None:
    assert near(page("<form name=search><input id=x></form>")).form == "search"
    assert near(page("<form aria-label='Find a flight' id=f><input id=x></form>")).form == "Find a flight"
    assert near(page("<form id=f-99182><h3>Sign in</h3><input id=x></form>")).form == "Sign in"
    assert near(page("<fieldset><legend>Seats</legend><input id=x></fieldset>")).section == "Seats"
    assert near(page("<h2>Old</h2><div><h2>Reviews</h2><p>..</p><a id=x>All</a></div>")).section == "Reviews"
    assert (
        near(page("<h2>News</h2><div role=dialog aria-label=Cookies><button id=x>Accept</button></div>")).section
        == "Cookies"
    )
    assert (
        near(page("<div role=dialog><h1>Delete file?</h1><p><button id=x>Yes</button></p></div>")).section
        == "Delete file?"
    )


TABLE = """<table><tr><th>Order</th><th>Total</th><th>Action</th></tr>
  <tr><td>1201</td><td>89</td><td><button id=x>Cancel</button></td></tr>
  <tr><td>1207</td><td>120</td><td><button id=y>Cancel</button></td></tr></table>"""


def test_a_row_of_a_table_tells_equal_buttons_apart() -> None:
    assert near(page(TABLE)) == Near(row="1201 89")
    assert near(page(TABLE), "y") == Near(row="1207 120")


def test_a_row_is_called_by_its_header_cell_where_it_has_one() -> None:
    tree = page(TABLE.replace("<td>1201</td>", "<th scope=row>1201</th>"))
    assert near(tree).row == "1201"


def test_an_element_that_is_the_only_one_of_its_name_needs_no_row() -> None:
    days = "<table><tr><th>Mo</th><th>Tu</th></tr><tr><td><a>14</a></td><td><a id=x>15</a></td></tr></table>"
    assert near(page(days)) == Near()


def test_equal_fields_of_one_row_are_told_apart_by_their_column() -> None:
    tree = page(
        "<table><tr><th>Item</th><th>From</th><th>To</th></tr>"
        "<tr><td>Desk</td><td><input id=ui-id-1></td><td><input id=ui-id-2></td></tr>"
        "<tr><td>Lamp</td><td><input></td><td><input></td></tr></table>"
    )
    assert near(tree, "ui-id-1") == Near(row="Desk", column="From")
    assert near(tree, "ui-id-2") == Near(row="Desk", column="To")


MAIL = "".join(
    f"<div class='mail {state}'><b>{name}</b><p>{text}</p><i class=star></i><i class=trash></i></div>"
    for name, text, state in (("Ana", "Lunch", "hover"), ("Bo", "Rent", ""), ("Cy", "Ship", "selected"))
)


def test_records_that_follow_each_other_are_rows_on_a_page_without_roles() -> None:
    tree = page(f"<div><h2>Inbox</h2>{MAIL}</div>")
    stars = [node for node in tree.nodes if "star" in node.classes]
    assert [target_of(tree, star).near.row for star in stars] == ["Ana Lunch", "Bo Rent", "Cy Ship"]
    assert target_of(tree, stars[1]).called() == "star"
    assert {target_of(tree, star).near.section for star in stars} == {"Inbox"}


def test_equals_that_no_row_tells_apart_are_told_by_position() -> None:
    tree = page("<div><button>Go</button><button id=x>Go</button><button id=y>Stop</button></div>")
    assert (near(tree).position, near(tree, "y").position) == ("2", "")


def test_a_sketch_lists_what_can_be_used_or_read_once_each_in_order() -> None:
    tree = page(
        "<title>Shop</title><h1>Desk</h1><script>x()</script><p>From 20</p>"
        "<label>Size <select><option>S<option>L</select></label><button><b>Buy</b> now</button>"
        "<div hidden><a>Gone</a></div><span class=star></span><div><input type=checkbox checked> Gift</div>"
    )
    told = [(t.role, t.called()) for t in sketch_of(tree)]
    assert told[:3] == [("heading", "Desk"), ("", "From 20"), ("combobox", "Size")]
    assert told[3:] == [("button", "Buy now"), ("", "star"), ("checkbox", "Gift"), ("", "Gift")]


def test_a_sketch_shows_what_stands_in_fields_and_a_target_does_not() -> None:
    tree = page("<label for=x>City</label><input id=x value=Oslo>")
    assert [t.attribute("value") for t in sketch_of(tree) if t.tag == "input"] == ["Oslo"]
    assert target_of(tree, tree.by_id["x"]).attribute("value") == ""


def test_a_generated_id_is_no_locator_and_a_lasting_one_is() -> None:
    tree = page("<a id=ui-id-2741>One</a><a id=search>Two</a>")
    found = [target_of(tree, node).locators for node in tree.root.children]
    assert [[locator.value for locator in each] for each in found] == [[], ['[id="search"]']]


def test_a_page_nested_deeper_than_the_stack_is_still_read() -> None:
    node = Node("b", text="deep")
    for _ in range(5000):
        node = Node("div", children=(node,))
    assert [t.text for t in sketch_of(Tree(node))] == ["deep"]


def test_a_sketch_says_where_elements_stand_so_that_rows_can_be_told_apart() -> None:
    rows = [Node("div", children=(Node("span", text=name), Node("button", text="Open"))) for name in ("Ann", "Bob")]
    hidden = Node("div", children=(Node("button", text="Old"),), state=frozenset({"hidden"}))
    places = [[t.attribute("place") for t in sketch_of(Tree(Node("body", children=more)))] for more in
              ((*rows,), (hidden, *rows))]  # fmt: skip
    assert places[0] == ["0.0", "0.1", "1.0", "1.1"]
    assert places[1] == places[0]
