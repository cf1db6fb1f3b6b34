"""Secrets are masked when they are read: before anything becomes a value, a log line or an error.

A record in the neutral form is masked as a whole. First its secrets are gathered: what was typed into a field that takes
one, the values that pages show in such fields, and what looks like a secret in any text. Then each is replaced by its
name in braces wherever it stands in that record: in the step (``secret`` is true), in the instruction, in later steps, in
reasoning, sketches, the answer and ``extra``. So the instruction and the step end up with the same slot, ``{password}``, which
the caller binds at run time. Masking a masked record changes nothing.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from graphmem.model.identity import canonical
from graphmem.model.secret_fields import LOCAL, secret_of_field
from graphmem.model.secret_text import PLACEHOLDER, mask_text, secret_name
from graphmem.model.trajectory import Trajectory, trajectory_from_json, trajectory_to_json

__all__ = ["Vault", "mask", "mask_text", "masked"]

#: Operations whose ``value`` goes into an element.
_TYPED = frozenset({"type", "select", "press"})
#: Fields with a closed vocabulary: no secret can stand there.
_CLOSED = frozenset({"op", "schema", "outcome", "recorded_at"})
_BULLETS = re.compile(r"[•●∙*·\s]+")
#: Passwords that are ordinary words: replaced in running text only where the text calls them a password.
_ORDINARY = frozenset(
    {
        "password", "passwd", "pass", "passcode", "pin", "secret", "admin", "login", "user", "username", "test", "demo",
        "guest", "root", "code", "token", "email", "text",
    }
)  # fmt: skip
_CALLED = r"((?<![{\w])(?:password|passcode|passphrase|pwd|pass)[\"'”]?\s*(?:is|of)?\s*[:=]?\s*[\"'“]?)"
_JARS = frozenset({"cookie", "cookies", "setcookie", "storagestate"})
_SHORT = frozenset({"password", "pin", "card_code", "one_time_code"})


class Vault:
    """The secrets of one record: their text, the name of each, and the replacing of them."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()
        self._written: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None
        self._called: re.Pattern[str] | None = None
        self._seen: dict[str, str] = {}

    def add(self, secret: str, name: str) -> str:
        """The name that ``secret`` goes by: ``name``, or with a number when another secret has that.

        A value that grew while it was typed is one secret.
        """
        grown = (
            n for s, n in self._names.items() if _base(n) == name and (s.startswith(secret) or secret.startswith(s))
        )
        found = self._names.get(secret) or next(grown, "") or self._free(name)
        self._names[secret] = found
        self.take(found)
        return found

    def take(self, name: str) -> None:
        """Let no other secret have this name."""
        self._taken.add(name)

    def _free(self, name: str) -> str:
        numbered = (name if n == 1 else f"{name}_{n}" for n in range(1, len(self._taken) + 2))
        return next(candidate for candidate in numbered if candidate not in self._taken)

    def seal(self) -> None:
        """Make ready for replacing what was added until now."""
        spread = sorted((s for s in self._names if len(s) > 2), key=lambda s: (-len(s), s))
        ordinary = [s for s in spread if s in _ORDINARY]
        self._written = {w: self._names[s] for s in reversed(spread) if s not in _ORDINARY for w in _writings(s)}
        forms = [_bounded(text) for text in sorted(self._written, key=lambda w: (-len(w), w))]
        self._pattern = re.compile("|".join(forms)) if forms else None
        self._called = re.compile(_CALLED + f"({'|'.join(ordinary)})\\b") if ordinary else None
        self._seen = {}

    def clean(self, text: str) -> str:
        """``text`` without any secret: neither those of this record nor what looks like one."""
        if text not in self._seen:
            self._seen[text] = self._cleaned(text)
        return self._seen[text]

    def _cleaned(self, text: str) -> str:
        if self._pattern:
            text = self._pattern.sub(lambda m: f"{{{self._written[m[0]]}}}", text)
        if self._called:
            text = self._called.sub(lambda m: f"{m[1]}{{{self._names[m[2]]}}}", text)
        return mask_text(text, self._names)

    def scrub(self, value: Any) -> Any:
        """A copy of any JSON value without its secrets; what stands under a key like ``cookies`` or ``apiKey`` is one."""
        if isinstance(value, str):
            return self.clean(value)
        if isinstance(value, list):
            return [self.scrub(item) for item in value]
        if isinstance(value, dict):
            return {self.clean(key): _by_key(key, item) or self.scrub(item) for key, item in value.items()}
        return value


def _base(name: str) -> str:
    return re.sub(r"_\d+$", "", name)


def _writings(secret: str) -> set[str]:
    """The ways in which a secret may be written: percent-encoded, escaped, with and without spaces between its digits."""
    forms = {
        secret,
        quote(secret, safe=""),
        quote(secret),
        quote_plus(secret),
        html.escape(secret),
        canonical(secret)[1:-1],
    }
    digits = re.sub(r"[ \u00a0._-]", "", secret)
    if digits.isdigit() and len(digits) >= 6:
        forms.add(digits)
        forms.update(sign.join(re.findall(r"\d{1,4}", digits)) for sign in " -")
    return forms


def _bounded(text: str) -> str:
    """Short texts and numbers are replaced as whole words only."""
    alone = len(text) < 6 or text.isdigit()
    return f"(?<![^\\W_]){re.escape(text)}(?![^\\W_])" if alone else re.escape(text)


def _by_key(key: str, value: Any) -> str:
    """What stands in for a value under this key; "" where the key does not name a secret."""
    if isinstance(value, bool) or not value or (isinstance(value, str) and PLACEHOLDER.fullmatch(value)):
        return ""
    if re.sub(r"[^a-z]", "", key.casefold()) in _JARS:
        return "{cookie}"
    name = secret_name(key)
    is_one = isinstance(value, str) or (isinstance(value, int) and name in _SHORT)
    return f"{{{name}}}" if name and is_one else ""


# -- a record in the neutral form ------------------------------------------------------------------------------------


def mask(record: dict[str, Any]) -> Vault:
    """Mask a record in the neutral form, in place; its types must be right. The vault masks what else belongs to it."""
    vault = Vault()
    _gather_typed(record["steps"], vault)
    for element in _elements(record):
        _gather_shown(element, vault)
    for key in ("source", "extra"):
        _gather_by_key(record.get(key), vault)
    known = -1
    # Text may show a secret that stands elsewhere without what gave it away: go on until nothing new is found.
    while known != len(vault._names):
        known = len(vault._names)
        vault.seal()
        _rewrite(record, vault)
    return vault


def masked(trajectory: Trajectory) -> Trajectory:
    """The trajectory without its secrets: for one that was built in a program rather than read."""
    record = trajectory_to_json(trajectory)
    mask(record)
    return trajectory_from_json(record)


def _gather_typed(steps: list[dict[str, Any]], vault: Vault) -> None:
    """Take out of each step what was typed into a field that takes a secret. Single characters are joined to one."""
    single = ""
    field: Mapping[str, Any] | None = None
    name = ""
    for step in steps + [{"op": "end"}]:
        op, value = step["op"], step.get("value") or ""
        field = step.get("target") or (field if op == "press" else None)
        is_single = op in _TYPED and len(value) == 1
        if not is_single and len(single) > 2:
            vault.add(single, name)
        single = single if is_single else ""
        if op in _TYPED and (is_single or op != "press"):
            name = secret_of_field(field, value) or ("secret" if step.get("secret") else "")
            if name:
                _take_out(step, name, vault)
                single += value if is_single else ""
            else:
                single = ""


def _take_out(step: dict[str, Any], name: str, vault: Vault) -> None:
    value = step.get("value") or ""
    if PLACEHOLDER.fullmatch(value):
        vault.take(value[1:-1])
    elif value or step.get("secret"):
        is_told = name not in LOCAL and value and not _BULLETS.fullmatch(value) and len(value) > 1
        step["value"] = f"{{{vault.add(value, name) if is_told else name}}}"
    step["secret"] = bool(step.get("value"))


def _elements(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for step in record["steps"]:
        yield from (step[key] for key in ("target", "to") if step.get(key))
        for key in ("page", "after"):
            yield from (step.get(key) or {}).get("sketch") or ()


def _gather_shown(element: dict[str, Any], vault: Vault) -> None:
    """Take out of an element what a page shows in a field that takes a secret."""
    attributes = element.get("attributes") or {}
    for holder, key in ((attributes, "value"), (attributes, "input_value"), (element, "text")):
        value = holder.get(key) or ""
        if not value or PLACEHOLDER.fullmatch(value) or (key == "text" and not _is_its_value(element, attributes)):
            continue
        name = secret_of_field(element, value)
        if name:
            told = name not in LOCAL and not _BULLETS.fullmatch(value)
            holder[key] = f"{{{vault.add(value, name) if told else name}}}"
    for key, value in attributes.items():
        attributes[key] = _by_key(key, value) or value


def _is_its_value(element: Mapping[str, Any], attributes: Mapping[str, Any]) -> bool:
    """Whether the text of an element is what stands in the field, rather than what it is called."""
    called = {element.get(key) for key in ("name", "label", "placeholder")} | {attributes.get("aria-label")}
    is_field = element.get("tag") in ("input", "textarea") or element.get("role") == "textbox"
    return is_field and element.get("text") not in called


def _gather_by_key(value: Any, vault: Vault) -> None:
    if isinstance(value, list):
        for item in value:
            _gather_by_key(item, vault)
    elif isinstance(value, dict):
        for key, item in value.items():
            # A lower-case word may be a remark ("required") rather than the secret: it is not looked for elsewhere.
            if (
                isinstance(item, str)
                and _by_key(key, item) not in ("", "{cookie}")
                and not (item.isalpha() and item.islower())
            ):
                vault.add(item, secret_name(key))
            _gather_by_key(item, vault)


def _rewrite(record: dict[str, Any], vault: Vault) -> None:
    for step in record["steps"]:
        before = step.get("value") or ""
        if step["op"] in _TYPED and (after := vault.clean(before)) != before and PLACEHOLDER.fullmatch(after):
            step["secret"] = True
    for key in ("source", "extra"):
        if key in record:
            record[key] = vault.scrub(record[key])
    _clean_in_place({key: value for key, value in record.items() if key not in ("source", "extra")}, vault)
    for key, value in record.items():
        if isinstance(value, str) and key not in _CLOSED:
            record[key] = mask_text(value) if key in ("site", "domain") else vault.clean(value)


def _clean_in_place(node: dict[Any, Any] | list[Any], vault: Vault) -> None:
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(value, str):
            is_image = key == "screenshot" and value.startswith("data:")
            if value and key not in _CLOSED and not is_image:
                node[key] = mask_text(value) if key == "site" else vault.clean(value)
        elif isinstance(value, dict | list):
            _clean_in_place(value, vault)
