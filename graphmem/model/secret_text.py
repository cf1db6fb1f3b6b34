"""What a secret looks like in running text and in URLs, wherever it stands.

These are the secrets that need no field to be known by: keys with a known prefix, JSON web tokens, bearer and cookie headers,
passwords and tokens in URLs, card numbers that pass Luhn's check, and passwords that a sentence gives away. Ordinary text
must come through unchanged, so each rule asks for more than a word: a separator, a digit, a check sum.
"""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping

#: A secret's text and the name that stands for it.
Found = MutableMapping[str, str]

PLACEHOLDER = re.compile(r"\{[a-z][a-z_]*(_\d+)?\}")

#: A cheap look: text without any of these is left alone.
_TRIGGER = re.compile(
    r"\d(?:[ \u00a0._-]?\d){12}|=|%3d|://|eyj|[sr]k[-_]|gh[pousr]_|github_pat|glpat|xox[a-z]-|a[ks]ia|aiza|ya29|hf_|npm_|"
    r"-----begin|bearer|cookie|authorization|passw|pwd|pass(?:code|phrase)|\bpin\b|\botp\b|cvv|cvc|code\b",
    re.IGNORECASE,
)
_KEYS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?"
    r"|(?:sk|rk|pk)[-_](?:live|test|ant|proj|or)?[-_]?[A-Za-z0-9_-]{16,}"
    r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|pypi-[\w-]{32,}"
    r")"
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_USERINFO = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s/@:?#]*:)([^\s/?#]+)(?=@)", re.IGNORECASE)
_COOKIE = re.compile(r"\b((?:set-)?cookie\s*[:=]\s*)([^\r\n]*=[^\r\n]*)", re.IGNORECASE)
_HEADER = re.compile(r"\b(authorization\s*[:=]\s*(?:basic|bearer|token|digest)?\s*)([^\s\"',]{6,})", re.IGNORECASE)
_BEARER = re.compile(r"\b(bearer\s+)([A-Za-z0-9._~+/-]{8,}=*)", re.IGNORECASE)
_PARAMETER = re.compile(
    r"((?:^|[?&#;\s\"'(,{\[]|%3F|%26|%23)([\w.\-\[\]]{1,60}?)(?:=|%3D))((?:(?!%26)[^&#\s\"'<>;,)\]}])+)", re.IGNORECASE
)
_CARD = re.compile(
    r"(?<![\w.])(?:\d{13,19}|\d{4}(?P<s>[ \u00a0._-])(?:\d{4}(?P=s)){2,3}\d{1,4}|\d{4}(?P<t>[ \u00a0._-])\d{6}(?P=t)\d{4,5})"
    r"(?!\w|\.\d)"
)
_CARD_BRAND = re.compile(r"3[0-9]|4|5[0-9]|6|2[2-7]|2131|1800")
_OTHER_NUMBER = re.compile(r"\b(isbn|imei|ean|upc|gtin|barcode)\W{0,3}(?:number|no|code)?\W{0,3}$", re.IGNORECASE)
_SAID = re.compile(
    r"(?<![{\w])(password|passwd|pwd|passcode|passphrase|pin(?: code)?|otp|one[ -]time (?:pass)?code|verification code|"
    r"cvv2?|cvc2?)\b"
    r"([\"'”]?\s*(?:(?:is|was|of|as|to)\b)?\s*[:=]?\s*)"
    r"(?:\"([^\"\s]{1,80})\"|'([^'\s]{1,80})'|“([^”\s]{1,80})”|`([^`\s]{1,80})`|([^\s\"'“”`(\[\\][^\s\"'“”`]{2,79}))",
    re.IGNORECASE,
)

_SECRET_NAMES = frozenset(
    {
        "password", "passwd", "pwd", "passphrase", "passcode", "secret", "jwt", "assertion", "samlresponse", "signature",
        "xamzsignature", "xamzcredential", "xgoogsignature", "xgoogcredential", "awsaccesskeyid", "accesskey", "accesskeyid",
        "secretkey", "privatekey", "sharedkey", "authorization", "phpsessid", "jsessionid", "aspsessionid", "otp", "totp",
        "cvv", "cvc", "pin",
    }
)  # fmt: skip
_SECRET_ENDINGS = (
    "token",
    "secret",
    "password",
    "passwd",
    "apikey",
    "signature",
    "sessionid",
    "accesskey",
    "secretkey",
)
#: Names that are secret only when the value looks made up.
_SOMETIMES = frozenset({"code", "key", "sid", "session", "auth", "ticket", "sig", "pass", "authcode"})
_SHORT_CODES = frozenset({"otp", "totp", "cvv", "cvc", "pin"})
_NAMES = {
    "passwd": "password", "pwd": "password", "passphrase": "password", "passcode": "password", "pass": "password",
    "otp": "one_time_code", "totp": "one_time_code", "cvv": "card_code", "cvc": "card_code", "pin": "pin",
}  # fmt: skip


def is_luhn(digits: str) -> bool:
    """Whether the digits pass the check that every card number passes."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        number = int(digit) * (1 + place % 2)
        total += number - 9 if number > 9 else number
    return total % 10 == 0 and len(set(digits)) > 1


def secret_name(key: str) -> str:
    """The name of the secret that a parameter or JSON key of this name holds: ``accessToken`` is a ``token``; "" for none."""
    flat = re.sub(r"[^a-z]", "", key.casefold())
    if not (flat in _SECRET_NAMES or flat.endswith(_SECRET_ENDINGS)):
        return ""
    if flat in _NAMES or flat.endswith("secret"):
        return _NAMES.get(flat, "secret")
    return "password" if flat.endswith(("password", "passwd")) else "api_key" if "key" in flat else "token"


def looks_made_up(value: str) -> bool:
    """Whether text looks like a machine's: letters and digits mixed, or very long without a space."""
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return (len(value) >= 12 and mixed) or (len(value) >= 24 and " " not in value)


def mask_text(text: str, found: Found | None = None) -> str:
    """``text`` with every secret in it as ``{name}``; ``found`` gathers them. Masking twice is masking once."""
    if not _TRIGGER.search(text):
        return text
    kept: Found = {} if found is None else found
    for rule in _RULES:
        text = rule(text, kept)
    return text


def _hide(secret: str, name: str, found: Found) -> str:
    if PLACEHOLDER.fullmatch(secret):
        return secret
    found.setdefault(secret, name)
    return f"{{{name}}}"


def _keys(text: str, found: Found) -> str:
    text = _PRIVATE_KEY.sub("{private_key}", text)
    return _KEYS.sub(
        lambda m: _hide(m[0], "token" if m[0].startswith(("eyJ", "gh", "ya29")) else "api_key", found), text
    )


def _headers(text: str, found: Found) -> str:
    text = _COOKIE.sub(lambda m: m[0] if m[2].strip() == "{cookie}" else m[1] + "{cookie}", text)
    text = _HEADER.sub(lambda m: m[1] + _hide(m[2], "token", found) if re.search(r"\d", m[2]) else m[0], text)
    return _BEARER.sub(lambda m: m[1] + _hide(m[2], "token", found) if re.search(r"\d", m[2]) else m[0], text)


def _urls(text: str, found: Found) -> str:
    text = _USERINFO.sub(lambda m: m[1] + _hide(m[2], "password", found), text)
    return _PARAMETER.sub(lambda m: m[1] + _parameter(m, text, found), text)


def _parameter(match: re.Match[str], text: str, found: Found) -> str:
    """What the value of a parameter becomes. A value that is an address of its own has parameters of its own."""
    value = match[3]
    name = _parameter_name(match[2], value, text)
    # Code that compares (``password === x``) has no value, and a placeholder is one already.
    if not name or value.startswith(("=", "{")):
        return _PARAMETER.sub(lambda m: m[1] + _parameter(m, text, found), value) if "%3" in value else value
    # ``;jsessionid=...`` stands in a path: the query begins after it.
    secret, mark, rest = value.partition("?") if match[1].startswith(";") else (value, "", "")
    return _hide(secret, name, found) + mark + rest


def _parameter_name(key: str, value: str, text: str) -> str:
    flat = re.sub(r"[^a-z]", "", key.casefold())
    if flat in _SHORT_CODES and not (value.isdigit() and len(value) >= 3):
        return ""
    if flat in _SOMETIMES:
        return _NAMES.get(flat, "token") if _is_made_up_parameter(flat, value, text) else ""
    return secret_name(key)


def _is_made_up_parameter(flat: str, value: str, text: str) -> bool:
    if flat == "code" and re.search(r"[?&]state=|oauth|callback|/auth|login|sign-?in|sso", text, re.IGNORECASE):
        return len(value) >= 6
    return looks_made_up(value)


def _cards(text: str, found: Found) -> str:
    def hide(match: re.Match[str]) -> str:
        digits = re.sub(r"\D", "", match[0])
        return _hide(match[0], "card_number", found) if _is_card(digits, match) else match[0]

    return _CARD.sub(hide, text)


def _is_card(digits: str, match: re.Match[str]) -> bool:
    if not is_luhn(digits) or _OTHER_NUMBER.search(match.string[: match.start()]):
        return False
    spaced = len(digits) != len(match[0])
    if not spaced and len(digits) == 13 and digits.startswith("1"):
        return False  # milliseconds since 1970
    in_url = "://" in match.string and not spaced
    return not in_url or bool(_CARD_BRAND.match(digits))


def _said(text: str, found: Found) -> str:
    """A password that a sentence gives away: quoted, or a word with a digit or sign in it."""

    def hide(match: re.Match[str]) -> str:
        quoted = next((group for group in match.groups()[2:6] if group), "")
        bare = (match[7] or "").rstrip(".,;:?)]}") if match[2] else ""
        secret = quoted or bare
        if not (quoted or _is_unlike_a_word(bare, match[1])) or "{" in secret:
            return match[0]
        start = match[0].rindex(secret)
        name = _said_name(match[1])
        return match[0][:start] + _hide(secret, name, found) + match[0][start + len(secret) :]

    return _SAID.sub(hide, text)


def _is_unlike_a_word(word: str, said: str) -> bool:
    if re.fullmatch(r"\d+[-–+]?\d*", word):
        # "PIN 4711" gives a code away, "password 8-20 characters" does not.
        return word.isdigit() and len(word) >= (3 if not said.casefold().startswith("pass") else 4)
    return bool(re.search(r"\d|\w[_@#$%^&*!+~]\w|[@#$%^&*!+~]$", word)) and len(word) >= 4


def _said_name(said: str) -> str:
    flat = re.sub(r"[^a-z]", "", said.casefold())
    if flat.startswith(("cvv", "cvc")):
        return "card_code"
    return (
        "pin" if flat.startswith("pin") else "one_time_code" if flat.endswith("code") or flat == "otp" else "password"
    )


_RULES: tuple[Callable[[str, Found], str], ...] = (_keys, _headers, _urls, _cards, _said)
