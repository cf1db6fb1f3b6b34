"""What names stand for in a Playwright script: pages, locators and the text that is known, without running anything.

A locator is the chain of ``playwright_selectors``, put together as Playwright itself does. Text that has to be worked out (an
environment variable, an argument, what a page showed) is kept as a slot: ``{password}``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.importers.making import called
from graphmem.importers.playwright_selectors import ENTER_FRAME
from graphmem.importers.records import Wrong


@dataclass(frozen=True)
class Unknown:
    """Something that only running would tell, and what the program calls it."""

    name: str = "value"


@dataclass(frozen=True)
class Thing:
    """Playwright, a browser, a context or an expectation: handed around, no step."""

    kind: str = ""


@dataclass(frozen=True)
class Page:
    tab: str


@dataclass(frozen=True)
class Device:
    """``page.keyboard``, ``page.mouse``."""

    kind: str
    tab: str


@dataclass(frozen=True)
class Locator:
    """An element, or with ``is_frame`` the inside of a frame, in which more is looked for."""

    tab: str
    chain: str
    is_frame: bool = False


@dataclass(frozen=True)
class Info:
    """What ``expect_popup`` and its like promise: a page with ``tab``, or something else."""

    page: Page | None


@dataclass(frozen=True)
class Pattern:
    source: str
    ignore_case: bool = False


Args = Sequence[Any]
Named = Mapping[str, Any]
#: Values that stand for a page or a part of one.
ON_PAGE = (Page, Device, Locator)


def text_of(value: Any) -> str:
    """Known text as it is; anything else as the slot of its name."""
    if isinstance(value, Unknown):
        return f"{{{called(value.name)}}}"
    return str(value) if isinstance(value, str | int | float) else "{value}"


def joined(owner: Page | Locator, part: str) -> Locator:
    """The locator of ``part`` in a page, element or frame."""
    if isinstance(owner, Page):
        return Locator(owner.tab, part)
    inner = f"{ENTER_FRAME} >> " if owner.is_frame else ""
    return Locator(owner.tab, f"{owner.chain} >> {inner}{part}")


def narrowed(owner: Locator, part: str) -> Locator:
    return Locator(owner.tab, f"{owner.chain} >> {part}", owner.is_frame)


def build(owner: Page | Locator, method: str, args: Args, named: Named) -> Locator | None:
    """The locator that a call gives; None when the call is none that builds one. Wrong when it lacks what it needs."""
    if method in _BUILDERS:
        return _BUILDERS[method](owner, args, named)
    if isinstance(owner, Locator) and method in _NARROWERS:
        return _NARROWERS[method](owner, args, named)
    return None


def _first(args: Args, named: Named, *names: str) -> Any:
    value = args[0] if args else next((named[name] for name in names if name in named), None)
    if value is None:
        raise Wrong("is a locator without what it looks for.")
    return value


def _quoted(value: Any, exact: bool = False) -> str:
    if isinstance(value, Pattern):
        return f"/{value.source}/" + ("i" if value.ignore_case else "")
    return json.dumps(text_of(value), ensure_ascii=False) + ("s" if exact else "i")


def _is_exact(named: Named) -> bool:
    return named.get("exact") is True


def _role(owner: Page | Locator, args: Args, named: Named) -> Locator:
    states = {
        k: v for k, v in named.items() if k in ("checked", "disabled", "expanded", "level", "pressed", "selected")
    }
    told = "".join(f"[{key}={str(value).lower()}]" for key, value in sorted(states.items()))
    name = f"[name={_quoted(named['name'], _is_exact(named))}]" if "name" in named else ""
    return joined(owner, f"internal:role={text_of(_first(args, named, 'role'))}{told}{name}")


def _words(engine: str) -> Callable[[Page | Locator, Args, Named], Locator]:
    def made(owner: Page | Locator, args: Args, named: Named) -> Locator:
        return joined(owner, f"internal:{engine}={_quoted(_first(args, named, 'text'), _is_exact(named))}")

    return made


def _attribute(name: str) -> Callable[[Page | Locator, Args, Named], Locator]:
    def made(owner: Page | Locator, args: Args, named: Named) -> Locator:
        return joined(owner, f"internal:attr=[{name}={_quoted(_first(args, named, 'text'), _is_exact(named))}]")

    return made


def _test_id(owner: Page | Locator, args: Args, named: Named) -> Locator:
    return joined(owner, f"internal:testid=[data-testid={_quoted(_first(args, named, 'test_id'), True)}]")


def _located(owner: Page | Locator, args: Args, named: Named) -> Locator:
    what = _first(args, named, "selector", "selector_or_locator")
    return _filtered(joined(owner, what.chain if isinstance(what, Locator) else text_of(what)), (), named)


def _frame(owner: Page | Locator, args: Args, named: Named) -> Locator:
    found = joined(owner, text_of(_first(args, named, "selector")))
    return Locator(found.tab, found.chain, is_frame=True)


def _named_frame(owner: Page | Locator, args: Args, named: Named) -> Locator:
    found = joined(owner, f'iframe[name="{text_of(_first(args, named, "name", "url"))}"]')
    return Locator(found.tab, found.chain, is_frame=True)


def _filtered(owner: Locator, args: Args, named: Named) -> Locator:
    for name, engine in (
        ("has_text", "has-text"),
        ("has_not_text", "has-not-text"),
        ("has", "has"),
        ("has_not", "has-not"),
    ):
        value = named.get(name)
        if isinstance(value, Locator):
            owner = narrowed(owner, f"internal:{engine}={json.dumps(value.chain, ensure_ascii=False)}")
        elif value is not None:
            owner = narrowed(owner, f"internal:{engine}={_quoted(value)}")
    return owner


def _nth(owner: Locator, args: Args, named: Named) -> Locator:
    return narrowed(owner, f"nth={text_of(_first(args, named, 'index'))}")


def _both(engine: str) -> Callable[[Locator, Args, Named], Locator]:
    def made(owner: Locator, args: Args, named: Named) -> Locator:
        other = _first(args, named, "locator")
        if not isinstance(other, Locator):
            raise Wrong("joins a locator with something that is none.")
        return narrowed(owner, f"internal:{engine}={json.dumps(other.chain, ensure_ascii=False)}")

    return made


_BUILDERS: Mapping[str, Callable[[Page | Locator, Args, Named], Locator]] = {
    "get_by_role": _role,
    "get_by_label": _words("label"),
    "get_by_text": _words("text"),
    "get_by_placeholder": _attribute("placeholder"),
    "get_by_alt_text": _attribute("alt"),
    "get_by_title": _attribute("title"),
    "get_by_test_id": _test_id,
    "locator": _located,
    "frame_locator": _frame,
    "frame": _named_frame,
}
_NARROWERS: Mapping[str, Callable[[Locator, Args, Named], Locator]] = {
    "filter": _filtered,
    "nth": _nth,
    "and_": _both("and"),
    "or_": _both("or"),
    "describe": lambda owner, args, named: owner,
}
