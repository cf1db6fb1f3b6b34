"""Programs from demonstrations: what is learned from a few invented ones, and that the workflow does what the rules say."""

from __future__ import annotations

from graphmem.model.frontier import Run, offered
from graphmem.model.identity import canonical
from graphmem.model.selection import Scene, Wanted, elements_of, holds, select
from graphmem.model.target import Target, pairs
from graphmem.model.workflow import Action, Child, FromSlot, Parameter, Workflow
from graphmem.model.workflow_json import workflow_from_json, workflow_to_json
from graphmem.model.workflow_text import workflow_text
from graphmem_induction.programs.examples import Act, Demonstration
from graphmem_induction.programs.learn import Program, learn
from graphmem_induction.programs.lower import lower
from graphmem_induction.programs.replay import explains
from graphmem_induction.programs.wording import Slot, tokens, values_of

BOXES = ("Bread", "Milk", "Tea", "Salt", "Rice", "Eggs")
SAVE = Target(role="button", name="Save", tag="button")


def page(ticked: frozenset[str]) -> Scene:
    boxes = [
        Target(role="checkbox", name=b, tag="input", attributes=pairs({"checked": "true"} if b in ticked else {}))
        for b in BOXES
    ]
    return Scene((*boxes, SAVE))


def shopping(*items: str) -> Demonstration:
    scenes, acts = [], []
    for n, item in enumerate(items):
        scenes.append(page(frozenset(items[:n])))
        acts.append(Act("click", BOXES.index(item)))
    done = page(frozenset(items))
    return Demonstration(f"Pick {', '.join(items)} and press Save.", (*scenes, done, done), (*acts, Act("click", 6)))


SHOWN = [shopping("Bread", "Tea"), shopping("Milk"), shopping("Eggs", "Rice", "Bread"), shopping("Salt", "Milk"),
         shopping("Tea", "Eggs")]  # fmt: skip


def lowered(program: Program) -> Workflow:
    types = {name: "list" if slot.items else "text" for name, slot in program.slots}
    values = [values_of(dict(program.slots), d.text) for d in SHOWN]
    return lower(program.rules, SHOWN, values, types)


def test_every_item_of_a_list_in_whatever_order_and_then_the_button() -> None:
    program = learn(SHOWN)
    workflow = lowered(program)
    for new in (shopping("Rice", "Salt", "Milk"), shopping("Tea")):
        assert explains(workflow, values_of(dict(program.slots), new.text), new).whole


def test_a_run_that_leaves_an_item_out_is_not_explained() -> None:
    program = learn(SHOWN)
    lacking = shopping("Rice", "Salt")
    asked = Demonstration("Pick Rice, Salt, Tea and press Save.", lacking.scenes, lacking.acts)
    assert not explains(lowered(program), values_of(dict(program.slots), asked.text), asked).whole


def test_one_bad_demonstration_does_not_bend_the_program() -> None:
    astray = Demonstration("Pick Milk and press Save.", (page(frozenset()),) * 3, (Act("click", 4), Act("click", 6)))
    program = learn([*SHOWN, astray])
    new = shopping("Rice", "Salt", "Milk")
    assert explains(lowered(program), values_of(dict(program.slots), new.text), new).whole


def test_the_order_of_the_demonstrations_changes_nothing() -> None:
    assert learn(SHOWN).rules == learn(SHOWN[::-1]).rules


def test_a_slot_is_read_between_words_or_by_its_type() -> None:
    text = 'Enter "Ann" by 03/04/2026 for 2 guests'
    assert Slot("quoted", 1).read(text) == "Ann"
    assert Slot("date", 1).read(text) == "03/04/2026"
    assert Slot(left=("for",), right=("guests",)).read(text) == "2"
    assert [t.kind for t in tokens(text)][:3] == ["word", "quoted", "word"]


# -- the language on pages -----------------------------------------------------------------------------------------------


def spinner(shows: str) -> Scene:
    field = Target(role="spinbutton", label="Guests", tag="input", attributes=pairs({"value": shows}))
    return Scene(
        (field, Target(role="button", name="More", tag="button"), Target(role="button", name="Fewer", tag="button"))
    )


def choosing() -> Workflow:
    """Click More while it shows less than is wanted, Fewer while it shows more."""

    def way(word: str, name: str) -> Child:
        click = Action("click", Target(role="button", name=name, tag="button"))
        test = {word: {"shown": {"role": "spinbutton", "tag": "input"}, "than": {"slot": "guests"}, "read": "number"}}
        spec = canonical({"when": test, "again": True})
        node = Workflow("optional", (Child(click),), (Parameter("guests"),), spec)
        return Child(node, (("guests", FromSlot("guests")),))

    ways = (way("less", "More"), way("more", "Fewer"))
    choose = Workflow("choose", ways, (Parameter("guests"),))
    return Workflow("until", (Child(choose, (("guests", FromSlot("guests")),)),), (Parameter("guests"),))


def test_the_first_that_applies_is_offered_again_and_again_until_none_does() -> None:
    run = Run(choosing(), {"guests": "3"})
    for shows in ("1", "2"):
        scene = spinner(shows)
        (offer,) = run.offers(scene)
        assert offer.index == 1
        run.did(offer, scene)
    assert run.offers(spinner("3")) == ()
    assert run.is_done(spinner("3"))
    assert offered(run.offers(spinner("4")), "click", 2, "") is not None


def test_it_reads_well_and_its_json_gives_it_back() -> None:
    workflow = Workflow("sequence", (Child(choosing(), (("guests", FromSlot("guests")),)),), (Parameter("guests"),))
    assert workflow_text(workflow).splitlines()[1:] == [
        "  repeat until done, the first that applies:",
        '    when spinbutton shows less than {guests}: click button "More" again',
        '    when spinbutton shows more than {guests}: click button "Fewer" again',
    ]
    assert workflow_from_json(workflow_to_json(workflow)).key == workflow.key


def test_rows_and_extremes_are_found_by_where_elements_stand() -> None:
    def row(n: int, name: str, price: str) -> list[Target]:
        return [
            Target(text=name, tag="span", attributes=pairs({"place": f"{n}.0"})),
            Target(text=price, tag="b", attributes=pairs({"place": f"{n}.1"})),
            Target(role="button", name="Buy", tag="button", attributes=pairs({"place": f"{n}.2"})),
        ]

    scene = Scene((*row(0, "Oslo", "$90"), *row(1, "Rome", "$70"), *row(2, "Bonn", "$80")))
    assert select(scene, Wanted("button", "button", name="Buy", row="Rome")) == (5,)
    assert select(scene, Wanted("button", "button", name="Buy", extreme="least", reading="money")) == (5,)
    assert select(scene, Wanted("button", "button", nth=-1)) == (8,)
    assert holds(scene, {"all": [{"present": {"name": {"slot": "city"}}}, {"said": "city"}]}, {"city": "bonn"})
    assert not holds(scene, {"present": {"name": {"slot": "city"}}}, {})


def test_a_name_may_be_told_by_how_it_begins_and_ends_and_case_tells_where_nothing_else_does() -> None:
    scene = Scene([Target(text=name, tag="div") for name in ("Iran", "Iraq", "IRAQ")])
    begins = {"tag": "div", "name": {"slot": "start"}, "match": "starts", "ends": {"slot": "end"}}
    assert elements_of(scene, begins, {"start": "Ira", "end": "raq"}) == (1, 2)
    assert elements_of(scene, begins, {"start": "Ira"}) == (0, 1, 2)
    assert select(scene, Wanted(name="IRAQ")) == (2,)
    assert select(scene, Wanted(name="iraq")) == (1, 2)


# -- free wording and pages as they happen to be --------------------------------------------------------------------------

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Finn")


def mail(text: str, who: str, to: str) -> Demonstration:
    """A mail is opened by who sent it and handed on to somebody who is not on the page."""
    here = [name for name in PEOPLE if name != to]
    inbox = Scene([Target(text=name, tag="div") for name in here])
    opened = Scene([Target(text=who, tag="div"), Target(role="textbox", label="Send to", tag="input")])
    return Demonstration(text, (inbox, opened, opened), (Act("click", here.index(who)), Act("type", 1, to)))


FREE = [mail("Hand the mail from Ann on to Bob.", "Ann", "Bob"), mail("Cleo wants what Dora wrote.", "Dora", "Cleo"),
        mail("Please give Emil the mail by Finn.", "Finn", "Emil"), mail("Finn should see the mail of Bob.", "Bob", "Finn"),
        mail("Let Ann have what Cleo sent.", "Cleo", "Ann"), mail("Emil is to get what Ann says.", "Ann", "Emil"),
        mail("Dora has to read the mail of Emil.", "Emil", "Dora")]  # fmt: skip


def test_in_free_wording_a_name_that_stands_on_the_page_is_the_one_that_is_meant_there() -> None:
    program = learn(FREE)
    values = [values_of(dict(program.slots), d.text) for d in FREE]
    workflow = lower(program.rules, FREE, values, {n: "list" if s.items else "text" for n, s in program.slots})
    new = mail("Bob asks for the thing that Emil wrote.", "Emil", "Bob")
    assert explains(workflow, values_of(dict(program.slots), new.text), new).acts >= 1


def test_a_slot_is_called_by_the_field_it_fills_or_the_word_before_it() -> None:
    assert [name for name, _ in learn(SHOWN).slots] == ["pick"]
