"""Which elements of a page take a secret: by type and ``autocomplete`` where they are known, else by what they are called.

A recorder often keeps no more of a field than its name or a selector, so names count: ``Password``, ``#user_pwd``,
``PIN``, ``cvv``. What merely speaks of passwords (a link "Forgot password?", a search for a password manager) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

#: HTML's ``autocomplete`` names of secrets.
_AUTOCOMPLETE = {
    "current-password": "password", "new-password": "new_password", "one-time-code": "one_time_code",
    "cc-number": "card_number", "cc-csc": "card_code", "cc-exp": "card_expiry", "cc-exp-month": "card_expiry",
    "cc-exp-year": "card_expiry", "cc-name": "card_holder", "cc-given-name": "card_holder",
    "cc-additional-name": "card_holder", "cc-family-name": "card_holder",
}  # fmt: skip

#: Words that are ordinary elsewhere in a record, so masking them is for their own step alone.
LOCAL = frozenset({"card_expiry", "card_holder"})

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
_PASSWORD = re.compile(
    r"password(?!less)|passwd|\bpwd\b|pass ?code|pass ?phrase|^(?:(?:user|login|my|txt|input|account) )*pass(?: \d)?$|"
    r"passwort|kennwort|contraseña|contrasena|mot de passe|wachtwoord|\bsenha\b|hasło|\bheslo\b|lösenord|пароль|密码|密碼|"
    r"パスワード|비밀번호"
)
_NOT_A_PASSWORD = re.compile(r"\b(search|find|filter|manager|hint|topic|subject|policy|expir\w+|length|article)\b")
_CARD_CODE = re.compile(
    r"\b(cvv|cvc|csc)( \d)?\b|\bcard (verification|security) (code|number|value)\b|\bsecurity code\b"
)
_CODE = re.compile(
    r"\b(one time|otp|totp|2 ?fa|mfa|(two|2) (factor|step)|verification|authenticat\w+|sms|login|access|recovery|backup)\b"
    r"( \w+)? (code|pass ?code|password)\b|\b(otp|totp)\b"
)
_DIGIT = re.compile(r"\b(digit|character|otp|code) \d( of \d)?$")
_CARD = re.compile(r"\b(card|cc) ?(number|num|no|nr)\b|\bcardnumber|\bccnumber|\bcard ?no\b")
_TOKEN = re.compile(r"\b(token|api ?key|client secret|secret key|private key|access key|secret)( value)?$")
_PIN = re.compile(r"\bpin\b")
_NOT_A_PIN = re.compile(r"\b(location|map|drop|board|postal|post|zip|delivery|area|shipping|city)\b")


def words_of(name: str) -> str:
    """``ctl00$txtPassword`` as ``ctl 00 txt password``."""
    return " ".join(_WORD.findall(name)).casefold()


def secret_of_field(target: Mapping[str, Any] | None, value: str) -> str:
    """The name of the secret that ``value`` in this element (neutral form) is: ``password``, ``card_code`` ...; "" for none."""
    if not target:
        return ""
    attributes = target.get("attributes") or {}
    complete = str(attributes.get("autocomplete", "")).casefold().split()
    if complete and complete[-1] in _AUTOCOMPLETE:
        return _AUTOCOMPLETE[complete[-1]]
    is_password = str(attributes.get("type", "")).casefold() == "password"
    if not is_password and (target.get("role") == "searchbox" or attributes.get("type") == "search"):
        return ""
    names = (_secret_of_words(words_of(name), value) for name in _names(target, attributes))
    return next(filter(None, names), "password" if is_password else "")


def _names(target: Mapping[str, Any], attributes: Mapping[str, Any]) -> Iterator[str]:
    for key in ("name", "label", "placeholder", "test_id"):
        yield str(target.get(key) or "")
    for key in ("aria-label", "name", "id", "title", "placeholder", "data-testid", "data-test"):
        yield str(attributes.get(key, ""))
    for locator in target.get("locators") or ():
        yield last_part(str(locator.get("kind", "")), str(locator.get("value", "")))


def last_part(kind: str, locator: str) -> str:
    """The part of a locator that speaks of the element itself, not of what it stands in."""
    if kind == "xpath":
        return locator.rpartition("/")[2]
    if kind in ("aria", "text", "role", "label", "placeholder", "test_id"):
        return locator
    return re.split(r"\s*[>+~]\s*|\s+(?![^\[]*\])", locator.strip())[-1]


def _secret_of_words(words: str, value: str) -> str:
    if not words:
        return ""
    digits = re.sub(r"[\s-]", "", value)
    if _CARD_CODE.search(words):
        return "card_code"
    if _CODE.search(words) or (len(value) == 1 and _DIGIT.search(words)):
        return "one_time_code"
    if _PASSWORD.search(words) and not _NOT_A_PASSWORD.search(words):
        return "new_password" if re.search(r"\b(new|create|choose)\b", words) else "password"
    if _CARD.search(words) and digits.isdigit() and len(digits) >= 12:
        return "card_number"
    if _PIN.search(words) and not _NOT_A_PIN.search(words) and digits.isdigit():
        return "pin"
    return "" if not _TOKEN.search(words) else "api_key" if "key" in words else "token"
