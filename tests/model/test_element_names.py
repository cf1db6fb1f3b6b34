"""The role and accessible name of an element, by HTML-AAM and accname 1.2; written as pages, one rule each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.importers.html_node import nodes_of, page_of
from graphmem.model.element import Node, Tree, role_of, target_of
from graphmem.model.element.names import name_of


def find(html: str, mark: str = "x") -> tuple[Tree, Node]:
    """The page, and in it the element whose id is ``mark``."""
    tree = Tree(page_of(html))
    return tree, tree.by_id[mark]


@pytest.mark.parametrize(
    ("html", "role"),
    [
        ("<a id=x href=/>", "link"),
        ("<a id=x>no address</a>", "link"),
        ("<input id=x>", "textbox"),
        ("<input id=x type=email>", "textbox"),
        ("<input id=x type=password>", "textbox"),
        ("<input id=x type=search>", "searchbox"),
        ("<input id=x type=number>", "spinbutton"),
        ("<input id=x type=range>", "slider"),
        ("<input id=x type=checkbox>", "checkbox"),
        ("<input id=x type=image>", "button"),
        ("<input id=x list=l>", "combobox"),
        ("<select id=x></select>", "combobox"),
        ("<select id=x multiple></select>", "listbox"),
        ("<select id=x size=5></select>", "listbox"),
        ("<summary id=x></summary>", "button"),
        ("<div id=x contenteditable></div>", "textbox"),
        ("<div id=x contenteditable=false></div>", ""),
        ("<img id=x alt=''>", ""),
        ("<img id=x>", "img"),
        ("<section id=x></section>", ""),
        ("<section id=x aria-label=News></section>", "region"),
        ("<div id=x role='fancy button'></div>", "button"),
        ("<li id=x role=presentation></li>", ""),
        ("<a id=x role=presentation href=/></a>", "link"),
        ("<table><tr><th id=x>Name</th><th>Price</th></tr></table>", "columnheader"),
        ("<table><tr><th id=x>Apple</th><td>3</td></tr></table>", "rowheader"),
        ("<table><tr><th id=x scope=row>Apple</th></tr></table>", "rowheader"),
        ("<table role=grid><tr><td id=x>1</td></tr></table>", "gridcell"),
        ("<div id=x></div>", ""),
    ],
)
def test_an_element_without_a_role_has_the_one_of_its_tag(html: str, role: str) -> None:
    assert role_of(*find(html)) == role


@pytest.mark.parametrize(
    ("html", "name"),
    [
        (
            "<span id=a>Card</span><span id=b>number</span><input id=x aria-labelledby='b a' aria-label=No>",
            "number Card",
        ),
        ("<p id=a hidden>Secret door</p><button id=x aria-labelledby=a>Open</button>", "Secret door"),
        ("<button id=x aria-label=Delete aria-labelledby='x f'></button><i id=f>file.txt</i>", "Delete file.txt"),
        ("<button id=x aria-label='Close window'>X</button>", "Close window"),
        ("<label for=x>From</label><input id=x title=T placeholder=P>", "From"),
        ("<label>To <input id=x></label>", "To"),
        ("<label for=x>First</label><label for=x>second</label><input id=x>", "First second"),
        ("<label>Flash <input value=3> times <input id=x type=checkbox></label>", "Flash 3 times"),
        ("<input id=x title='When to leave' placeholder=Date>", "When to leave"),
        ("<input id=x placeholder=Date>", "Date"),
        ("<div id=x role=textbox aria-placeholder=Comment></div>", "Comment"),
        ("<input id=x type=submit>", "Submit"),
        ("<input id=x type=submit value='Find flights'>", "Find flights"),
        ("<input id=x type=image alt=Go>", "Go"),
        ("<img id=x alt='A map'>", "A map"),
        ("<button id=x><img alt=Print> page</button>", "Print page"),
        ("<a id=x href=/><span>Read</span> <b>m</b>ore</a>", "Read more"),
        ("<button id=x><div>Two</div><div>lines</div></button>", "Two lines"),
        ("<button id=x>Save<i hidden>d</i><i aria-hidden=true>*</i></button>", "Save"),
        ("<button id=x title=Trash></button>", "Trash"),
        ("<fieldset id=x><legend>Seats</legend><input></fieldset>", "Seats"),
        ("<table id=x><caption>Prices</caption></table>", "Prices"),
        ("<svg id=x><title>Logo</title></svg>", "Logo"),
        ("<div id=x>Not named by what it holds</div>", ""),
        ("<input id=x value='what was typed'>", ""),
    ],
)
def test_a_name_comes_from_where_the_standard_says_and_in_its_order(html: str, name: str) -> None:
    assert name_of(*find(html)) == name


def test_two_elements_that_name_each_other_end() -> None:
    tree, node = find("<b id=x aria-labelledby=y>one</b><b id=y aria-labelledby=x>two</b>")
    assert name_of(tree, node) == "two"


@pytest.mark.parametrize(
    ("html", "label"),
    [
        ("<p><label>Username</label><input id=x></p>", "Username"),
        ("<p>Date: <input id=x></p>", "Date"),
        ("<div><div>Departure Date</div><div><input id=x></div></div>", "Departure Date"),
        ("<div><input id=x><div>Genre</div></div><div><input><div>Year</div></div>", "Genre"),
        ("<table><tr><td>Quantity *</td><td><input id=x></td></tr></table>", "Quantity"),
        ("<div><input type=checkbox id=x> Aisle <input type=checkbox> Window</div>", "Aisle"),
        ("<span>One</span><input><br><span>Two</span><input id=x>", "Two"),
        ("<h2>Book your flight</h2><input id=x>", ""),
        ("<span>One</span><button>Go</button><input id=x>", ""),
        (f"<p>{'a paragraph ' * 10}</p><input id=x>", ""),
        ("<span>Visible</span><label for=x>Tied</label><input id=x>", ""),
        ("<span>Text</span><div id=x>no field</div>", ""),
    ],
)
def test_a_label_that_is_not_tied_is_the_text_that_a_reader_takes_for_it(html: str, label: str) -> None:
    tree, node = find(html)
    assert target_of(tree, node).label == label


@pytest.mark.parametrize(
    ("classes", "icon"),
    [
        ("trash", "trash"),
        ("star clicked", "star"),
        ("star hover ui-state-hover focus", "star"),
        ("fa fa-envelope", "envelope"),
        ("ui-icon ui-icon-triangle-1-s", "triangle s"),
        ("css-1q2w3e4r5t", ""),
        ("ui-state-active", ""),
        ("", ""),
    ],
)
def test_an_icon_is_called_by_its_class_only_where_nothing_else_names_it(classes: str, icon: str) -> None:
    tree, node = find(f"<span id=ui-id-1 class='{classes}'></span>", "ui-id-1")
    target = target_of(tree, node)
    assert (target.attribute("icon"), target.called()) == (icon, icon)
    assert target.name == ""


def test_an_icon_with_a_title_or_a_text_is_called_by_that() -> None:
    for html in ("<span id=x class=trash title=Remove></span>", "<span id=x class=trash>Remove</span>"):
        target = target_of(*find(html))
        assert (target.called(), target.attribute("icon")) == ("Remove", "")


def test_hover_and_focus_classes_are_read_by_nobody() -> None:
    def read(classes: str) -> object:
        return target_of(*find(f"<div><a id=x class='day {classes}'>15</a></div>"))

    assert read("ui-state-hover ui-state-active") == read("") == read("focused")


@given(st.text(alphabet="<>/abi =\"'xd&;", max_size=60))
def test_no_html_however_damaged_keeps_a_page_from_being_read(html: str) -> None:
    tree = Tree(page_of(html))
    for node in tree.nodes:
        if not node.is_text:
            target_of(tree, node)
    assert len(nodes_of(html)) == len(tree.root.children)
