"""A fixed reader of prose targets: "Go button next to the search box" as the button called Go.

The first words that name a kind of control part the text: what stands before them is the name, what stands after only says
where the control is, and changes from run to run (52 ways to say one box), so of it nothing but the row is kept. The prose
itself stays in the attributes, which are no part of an identity.
"""

from __future__ import annotations

import re

from graphmem.model.target import Near, Target

_KINDS = {
    "textbox": r"(?:text |number |date |search )?input (?:field|box|area)|text ?area(?: field)?|text (?:field|box)|textbox|"
    r"search (?:field|box|bar)|date field|field|input",
    "checkbox": r"check ?box(?:es)?",
    "radio": r"radio button|radio",
    "combobox": r"drop-?down (?:menu|list|button|arrow|field|selector)|drop-?down|select (?:box|field)|combo ?box",
    "menuitem": r"menu item|menu option|menu entry|submenu item|menu",
    "button": r"(?:submission |icon )?button|icon|toggle",
    "tab": r"tab",
    "option": r"(?:dropdown |autocomplete )?(?:option|suggestion)",
    "link": r"(?:text |navigation )?link|breadcrumb|heading link",
    "row": r"(?:table )?row",
}
_KIND = re.compile(
    r"(?<![\w-])(?:" + "|".join(f"(?P<{role}>{words})" for role, words in _KINDS.items()) + r")(?![\w-])", re.IGNORECASE
)
_CALLED = re.compile(
    r"^\s*(?:for|labeled|labelled|named|called|saying|with (?:the )?(?:text|label|name)|showing|to)\s+", re.IGNORECASE
)
_WHERE = re.compile(
    r"\s+(?:in|on|at|next to|under|below|above|with|near|that|which|showing|containing|located|highlighted|directly|inside|"
    r"within|beside|pointing|from the|of the|for the)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_ROW = re.compile(
    r"\b(?:in (?:the )?row(?: (?:for|with|of|containing))?"
    r"|for (?:the )?(?:order|product|item|customer|user|review)(?: number| ID)?)"
    r"\s+#?(?P<row>\S.*?)(?=\s+(?:product|in|on|at|under|with|from|row)\b|$)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“']([^\"”']{1,80})[\"”']")
#: Kinds that are a name too where nothing else is said ("search box").
_SEARCH = re.compile(r"^search\b", re.IGNORECASE)


def target_of_prose(prose: object) -> Target:
    """The element that a description speaks of."""
    text = " ".join(str(prose).split())
    kind = _KIND.search(text)
    if kind is None:
        return _target("", _WHERE.sub("", text), text)
    role, name, rest = kind.lastgroup or "", text[: kind.start()], text[kind.end() :]
    # "menu button": of kinds that stand in a row the last one is the control.
    while (more := _KIND.match(rest.lstrip())) is not None:
        role = more.lastgroup or role
        rest = rest.lstrip()[more.end() :]
    if not _plain(name):
        name = _from_rest(rest) or ("Search" if _SEARCH.match(kind[0]) else "")
    return _target(role, name, text)


def _from_rest(rest: str) -> str:
    """A name that comes after its kind: in quotes, else after "for" or "labeled"."""
    if quoted := _QUOTED.search(rest):
        return quoted[1]
    called = _CALLED.match(rest)
    return _WHERE.sub("", rest[called.end() :]) if called else ""


def _plain(name: str) -> str:
    bare = re.sub(r"^(?:the|a|an)\s+", "", name.strip(), flags=re.IGNORECASE)
    return bare.strip(" \"“”'`:,").rstrip(".…")


def _target(role: str, name: str, prose: str) -> Target:
    row = _ROW.search(prose)
    return Target(
        role=role,
        name=_plain(name)[:120],
        near=Near(row=_plain(row["row"])[:120] if row else ""),
        attributes=(("description", prose),),
    )
