"""Playwright scripts in Python: look-alikes of what codegen writes and people make of it, one a quirk. Nothing is run."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.importers import Refusal, read
from graphmem.importers.playwright_codegen import PlaywrightCodegenImporter
from graphmem.model.trajectory import Trajectory

HEAD = "import re\nfrom playwright.sync_api import Page, Playwright, sync_playwright, expect\n\n"
RUN = """
def run(playwright: Playwright) -> None:
    browser = playwright.chromium.launch(headless=False)
    context = browser.new_context(storage_state="auth.json", locale="fa-IR")
    page = context.new_page()
    page.goto("https://shop.example/")
{body}

    # ---------------------
    context.close()
    browser.close()


with sync_playwright() as playwright:
    run(playwright)
"""


def reading(folder: Path, code: str, name: str = "buy-a_book.py") -> list[Trajectory | Refusal]:
    path = folder / name
    path.write_text(code, encoding="utf-8")
    return list(read([path]))


def recorded(folder: Path, body: str) -> Trajectory:
    (found,) = reading(folder, HEAD + RUN.format(body=indent(dedent(body).strip("\n"), "    ")))
    assert isinstance(found, Trajectory), found
    assert found.steps[0].op == "navigate"
    return found


def refused(folder: Path, body: str) -> Refusal:
    (found,) = reading(folder, HEAD + RUN.format(body=indent(dedent(body).strip("\n"), "    ")))
    assert isinstance(found, Refusal), found
    return found


def acts(found: Trajectory) -> list[tuple[str, str, str]]:
    return [(step.op, step.target.called() if step.target else "", step.value) for step in found.steps[1:]]


def test_what_codegen_writes_is_one_recording_with_its_site(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        """
        page.get_by_role("textbox", name="Search").click()
        page.get_by_role("textbox", name="Search").fill("dune")
        page.get_by_role("textbox", name="Search").press("Enter")
        page.get_by_role("link", name="Dune", exact=True).first.click(button="right")
        page.get_by_label("Amount").select_option(["2"])
        page.get_by_label("Colour").select_option(label="Red")
        page.get_by_role("checkbox", name="Gift").check()
        page.get_by_placeholder("File").set_input_files("/home/me/cv.pdf")
        page.get_by_alt_text("Logo").dblclick()
        page.get_by_title("Help").hover()
        page.get_by_test_id("card").drag_to(page.get_by_text("Basket"))
        page.locator("#old").press_sequentially("abc")
        """,
    )
    assert (found.task, found.site, found.verdict) == ("buy a book", "shop.example", "unknown")
    assert acts(found) == [
        ("click", "Search", ""), ("type", "Search", "dune"), ("press", "Search", "Enter"), ("click", "Dune", "secondary"),
        ("select", "Amount", "2"), ("select", "Colour", "Red"), ("click", "Gift", ""), ("upload", "File", "cv.pdf"),
        ("dblclick", "Logo", ""), ("hover", "Help", ""), ("drag", "card", ""), ("type", "old", "abc"),
    ]  # fmt: skip
    assert found.steps[4].target is not None
    assert (found.steps[4].target.near.position, found.steps[11].to and found.steps[11].to.text) == ("1", "Basket")
    assert {step.page.url for step in found.steps[1:] if step.page} == {"https://shop.example/"}


def test_popups_are_tabs_in_the_order_in_which_they_open(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        """
        with page.expect_popup() as page1_info:
            page.get_by_role("link", name="کتاب").click()
        page1 = page1_info.value
        page1.get_by_label("\ue91a").click()
        with page1.expect_popup() as page2_info:
            page1.get_by_text("More").click()
        page2 = page2_info.value
        page2.goto("https://pay.example/")
        with page2.expect_download() as download_info:
            page2.get_by_text("Get").click()
        download = download_info.value
        page.get_by_text("End").click()
        """,
    )
    assert [(step.tab, called) for step, (_, called, _) in zip(found.steps[1:], acts(found), strict=True)] == [
        ("", "کتاب"), ("page1", "\ue91a"), ("page1", "More"), ("page2", ""), ("page2", "Get"), ("", "End"),
    ]  # fmt: skip
    assert [step.site for step in found.steps] == ["", "", "", "", "pay.example", "pay.example", ""]


def test_frames_rows_and_forms_are_what_an_element_stands_in(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        """
        page.frame_locator("iframe[name=\\"c-8231\\"]").frame_locator("#inner").get_by_label("Card").fill("x")
        page.locator("#f").content_frame.get_by_text("In").click()
        page.get_by_role("row", name="1201").get_by_role("button").click()
        page.locator("li").filter(has_text=re.compile(r"^Milk$")).get_by_role("checkbox").nth(2).check()
        page.get_by_role("listitem").filter(has=page.get_by_text("Rye")).locator("button").last.click()
        """,
    )
    frames, content, row, item, nested = (step.target for step in found.steps[1:])
    assert frames is not None
    assert frames.frame == ("c-8231", "inner")
    assert content is not None
    assert content.frame == ("f",)
    assert row is not None
    assert row.near.row == "1201"
    assert item is not None
    assert (item.near.row, item.near.position) == ("Milk", "3")
    assert nested is not None
    assert (nested.role, nested.near.row, nested.near.position) == ("button", "Rye", "last")


def test_icons_in_names_are_taken_out_of_words(tmp_path: Path) -> None:
    assert acts(recorded(tmp_path, 'page.get_by_role("link", name="\uf007 Login").click()')) == [("click", "Login", "")]


def test_what_only_waits_scrolls_and_looks_is_noise_or_told_as_such(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        """
        import time
        time.sleep(3)
        page.wait_for_timeout(100)
        page.wait_for_load_state("networkidle")
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        page.mouse.wheel(0, 300)
        print(page.title(), page.url, page.get_by_role("heading").inner_text())
        page.screenshot(path="a.png")
        page.set_viewport_size({"width": 1, "height": 2})
        page.once("dialog", lambda dialog: dialog.dismiss())
        expect(page.get_by_text("Done")).to_be_visible()
        count = page.evaluate("document.images.length")
        page.keyboard.press("CapsLock")
        """,
    )
    assert [step.op for step in found.steps[1:]] == ["wait", "wait", "wait", "scroll", "scroll", "press"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('page.evaluate("document.forms[0].submit()")', "script of its own"),
        ("page.mouse.click(3, 4)", "coordinates"),
        ("page.teleport()", "'teleport' is a call that is not known"),
        ("LoginPage(page).log_in('ada')", "hands the page to code"),
        ("helpers.log_in(page)", "hands the page to code"),
        ("page.get_by_role().click()", "without what it looks for"),
        ("page.goto(None)", "without a URL"),
        ("page.click(7)", "must be text"),
    ],
)
def test_what_is_not_understood_refuses_the_function_with_its_line(tmp_path: Path, line: str, says: str) -> None:
    found = refused(tmp_path, line)
    assert (found.place, says in found.reason) == ("line 10", True), found


def test_names_arguments_and_the_environment_stand_for_what_they_are(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        """
        name, n = "Ada", 2
        site = "https://shop.example"
        page.goto(f"{site}/cart/{n}?q={unknown_thing}")
        page.get_by_label("A").fill(name)
        page.get_by_label("B").fill("Hello " + name)
        page.get_by_label("C").fill(os.environ["SHOP_USER"])
        page.get_by_label("D").fill(os.getenv("couponCode", "fallback"))
        page.get_by_label("E").fill(f"{name.upper()}")
        page.get_by_label("F").fill("{} of {}".format(n, name))
        page.get_by_label(name).click()
        """,
    )
    assert [value or called for _, called, value in acts(found)] == [
        "https://shop.example/cart/2?q={unknown_thing}", "Ada", "Hello Ada", "{shop_user}", "{coupon_code}", "{upper}",
        "2 of Ada", "Ada",
    ]  # fmt: skip


def test_a_loop_over_what_is_written_down_is_unrolled(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        """
        for label, value in [("A", "1"), ("B", "2")]:
            page.get_by_label(label).fill(value)
        for _ in range(2):
            page.get_by_text("More").click()
        if False:
            page.get_by_text("Never").click()
        try:
            page.get_by_text("Ok").click()
        except Exception:
            page.screenshot(path="x.png")
        """,
    )
    assert acts(found) == [
        ("type", "A", "1"),
        ("type", "B", "2"),
        ("click", "More", ""),
        ("click", "More", ""),
        ("click", "Ok", ""),
    ]


@pytest.mark.parametrize(
    "head",
    [
        "if page.get_by_text('x').is_visible():",
        "while True:",
        "for row in page.get_by_role('row').all():",
        "if a == 1:",
    ],
)
def test_steps_that_hang_on_the_page_refuse_the_function_and_looks_do_not(tmp_path: Path, head: str) -> None:
    found = refused(tmp_path, f"{head}\n    page.get_by_text('a').click()")
    assert (found.place, "hang on what the page says" in found.reason) == ("line 10", True)
    assert acts(recorded(tmp_path, f"{head}\n    print('a')\npage.get_by_text('b').click()")) == [("click", "b", "")]


SEVERAL = """
def log_in(page: Page, user="ada"):
    page.goto("https://shop.example/login")
    page.fill("#user", user)


def test_buy_book(page: Page):
    '''Buy a book as a guest.

    More of it.
    '''
    log_in(page, "bo")
    page.click("text=Buy")


class TestCart:
    def test_emptiesCart(self, page):
        log_in(page=page)
        page.click("text=Empty")


@pytest.fixture
def page(context):
    page = context.new_page()
    page.goto("https://shop.example/")
    return page


def add(a, b):
    return a + b
"""


def test_every_function_that_acts_is_a_recording_with_what_its_helpers_do(tmp_path: Path) -> None:
    found = reading(tmp_path, HEAD + SEVERAL)
    assert [(item.task, [step.value for step in item.steps]) for item in found if isinstance(item, Trajectory)] == [
        ("log in", ["https://shop.example/login", "{user}"]),
        ("Buy a book as a guest.", ["https://shop.example/login", "bo", ""]),
        ("empties cart", ["https://shop.example/login", "ada", ""]),
    ]
    assert len(found) == 3


def test_one_function_that_is_refused_loses_no_other(tmp_path: Path) -> None:
    found = reading(tmp_path, HEAD + SEVERAL.replace('page.click("text=Buy")', "page.mouse.click(1, 2)"))
    assert [type(item) for item in found] == [Trajectory, Refusal, Trajectory]


def test_async_code_and_code_of_the_module_itself_are_read(tmp_path: Path) -> None:
    code = """
        import asyncio
        from playwright.async_api import Playwright, async_playwright

        async def run(playwright: Playwright) -> None:
            page = await (await playwright.chromium.launch()).new_page()
            await page.goto("https://a.example/")
            async with page.expect_popup() as info:
                await page.get_by_text("Go").click()
            page1 = await info.value
            await page1.get_by_text("On").click()

        async def main() -> None:
            async with async_playwright() as playwright:
                await run(playwright)

        asyncio.run(main())
    """
    (found,) = reading(tmp_path, dedent(code))
    assert isinstance(found, Trajectory), found
    assert [(step.op, step.tab) for step in found.steps] == [("navigate", ""), ("click", ""), ("click", "page1")]
    top = (
        'with sync_playwright() as p:\n    page = p.chromium.launch().new_page()\n    page.goto("https://a.example/")\n'
    )
    (found,) = reading(tmp_path, HEAD + top)
    assert isinstance(found, Trajectory), found
    assert (found.task, found.site) == ("buy a book", "a.example")


def test_functions_that_call_each_other_without_end_are_refused(tmp_path: Path) -> None:
    (found,) = reading(tmp_path, HEAD + "def a(page):\n    page.goto('https://a.example')\n    a(page)\n")
    assert isinstance(found, Refusal)
    assert "without end" in found.reason


@pytest.mark.parametrize(
    "code",
    [
        "import { test } from '@playwright/test';\ntest('x', async ({ page }) => { await page.goto('https://a.example'); });",
        "const { chromium } = require('playwright');\n(async () => { await page.locator('#a').click(); })();",
        "using Microsoft.Playwright;\nawait page.Locator('x').click();",
    ],
)
def test_a_script_in_another_language_is_told_what_to_do_instead(tmp_path: Path, code: str) -> None:
    (found,) = reading(tmp_path, code, "a.spec.ts")
    assert isinstance(found, Refusal)
    assert "--target python" in found.reason


def test_what_is_no_python_and_what_does_nothing_are_refused(tmp_path: Path) -> None:
    (found,) = reading(tmp_path, HEAD + "def run(page):\n    page.goto('https://a.example'\n    page.click(\n")
    assert isinstance(found, Refusal)
    assert (found.place.startswith("line "), found.reason) == (True, "is not valid Python.")
    (found,) = reading(tmp_path, HEAD + "def run(page):\n    print(page.locator('a'))\n")
    assert "does anything on a page" in str(found)
    path = tmp_path / "latin.py"
    path.write_bytes((HEAD + "def run(page):\n    page.click('é')\n").encode("latin-1"))
    assert "not UTF-8" in str(*read([path]))


def test_nothing_of_a_script_is_run(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    code = f"open({str(trap)!r}, 'w').write('x')\n__import__('os').mkdir({str(trap)!r})\n"
    recorded(tmp_path, code + "page.get_by_text(str(open).format()).click()")
    assert not trap.exists()


_PIECES = st.sampled_from(
    [
        "page", "page.goto('https://a.example')", ".click()", "(", ")", "[0]", "for x in", "if", ":", "\n    ", "\n", "f'{x}'",
        "=", "'a'", ".first", "lambda: 0", "*", "**{}", "await ", "x", ", ", "with", "return ", "page.get_by_text('a')",
        ".nth(0)",
    ]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(pieces=st.lists(_PIECES, max_size=12))
def test_no_program_whatever_raises(tmp_path_factory: pytest.TempPathFactory, pieces: list[str]) -> None:
    path = tmp_path_factory.mktemp("x") / "a.py"
    path.write_text(HEAD + "def run(page):\n    " + "".join(pieces), encoding="utf-8")
    assert all(isinstance(item, Trajectory | Refusal) for item in read([path], format="playwright-codegen"))


@pytest.mark.parametrize("text", ["print('page')", "{'page': 1}", "# playwright is a tool", "page.click('a')"])
def test_a_program_that_drives_no_browser_is_not_claimed(text: str) -> None:
    assert PlaywrightCodegenImporter().sniff(text.encode(), "a.py") == 0.0
