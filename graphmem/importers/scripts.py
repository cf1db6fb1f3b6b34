"""What a script that a recording runs in the page may do: told from its text, never by running it."""

from __future__ import annotations

import re

_ACTS = re.compile(
    r"\.(click|submit|dispatchEvent|requestSubmit|setAttribute|remove)\s*\(|\.(value|checked|innerHTML|selectedIndex)\s*=(?!=)|"
    r"location(\.href)?\s*=(?!=)|location\.(assign|replace)\s*\(|window\.open\s*\("
)
_SCROLLS = re.compile(r"\bscroll(To|By|IntoView|IntoViewIfNeeded)?\s*\(|\.scroll(Top|Left)\s*\+?=(?!=)")


def acts_on_page(script: str) -> bool:
    """Whether a script does what a step would do: click, type, go elsewhere."""
    return bool(_ACTS.search(script))


def scrolls(script: str) -> bool:
    return bool(_SCROLLS.search(script))
