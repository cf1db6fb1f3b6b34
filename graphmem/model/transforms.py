"""The closed set of transforms between what an instruction says and what a page wants.

    ""              the same text
    lower upper     case
    title
    sentence
    word:N          the N-th word, from 1; word:-1 is the last
    number          digits only: "1,250 EUR" -> "1250"; number words up to twenty -> digits
    date:FORMAT     a date in another form; FORMAT is one of DATE_FORMATS, such as dd.mm.yyyy
    time:FORMAT     a time in another form; FORMAT is one of TIME_FORMATS

``transformed`` applies one; ``ways_from`` lists those that lead from a text to a value, the simplest first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time
from functools import cache

#: Our name -> strftime, day and month without leading zero where the name has one letter. Ambiguous forms (01/02/2027)
#: are read in the order given here, month first, as most sites that use slashes do.
DATE_FORMATS = {
    "yyyy-mm-dd": "%Y-%m-%d",
    "dd.mm.yyyy": "%d.%m.%Y",
    "d.m.yyyy": "{d}.{m}.%Y",
    "mm/dd/yyyy": "%m/%d/%Y",
    "m/d/yyyy": "{m}/{d}/%Y",
    "dd/mm/yyyy": "%d/%m/%Y",
    "mmmm d, yyyy": "%B {d}, %Y",
    "mmm d, yyyy": "%b {d}, %Y",
    "d mmmm yyyy": "{d} %B %Y",
    "d mmm yyyy": "{d} %b %Y",
    "yyyymmdd": "%Y%m%d",
    "mmmm d": "%B {d}",
    "mmm d": "%b {d}",
    "d mmmm": "{d} %B",
    "d": "{d}",
    "mmmm": "%B",
    "yyyy": "%Y",
}
TIME_FORMATS = {"hh:mm": "%H:%M", "h:mm am": "{h}:%M %p", "h am": "{h} %p", "h:mmam": "{h}:%M%p", "ham": "{h}%p"}

_READ_DATES = ("%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d/%m/%Y", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y",
               "%B %d %Y", "%b %d %Y", "%Y%m%d")  # fmt: skip
_READ_DAYS = ("%B %d", "%b %d", "%d %B", "%d %b")
_READ_TIMES = ("%H:%M", "%I:%M %p", "%I:%M%p", "%I %p", "%I%p")
_NUMBER_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
#: The year of a date that names none: never printed, since only formats without a year accept such a date.
_NO_YEAR = 1904


def transformed(name: str, text: str) -> str:
    """``text`` through the transform ``name``; the text itself where the transform does not apply to it (a word that is
    not there, a date that is none). KeyError for a name outside the set."""
    kind, _, argument = name.partition(":")
    result = _TRANSFORMS[kind](text, argument)
    return text if result is None else result


@cache
def ways_from(text: str, value: str) -> tuple[str, ...]:
    """The transforms that turn ``text`` into ``value``, the simplest first."""
    if text == value:
        return ("",)
    names = ["lower", "upper", "title", "sentence"] if text.casefold() == value.casefold() else []
    if value.isdigit():
        names.append("number")
    if any(c.isdigit() for c in text):
        names += [f"date:{f}" for f in DATE_FORMATS] + [f"time:{f}" for f in TIME_FORMATS]
    words = text.split()
    if 1 < len(words) <= 8:
        names += [f"word:{n}" for n in range(1, len(words) + 1)] + ["word:-1"]
    return tuple(n for n in names if transformed(n, text) == value)


@cache
def read_date(text: str) -> date | None:
    """The date that ``text`` says; one without a year gets a year that no format prints."""
    cleaned = re.sub(r"(\d)(st|nd|rd|th)\b", r"\1", " ".join(text.replace(",", ", ").split()))
    for form in _READ_DATES:
        found = _read(cleaned, form)
        if found is not None and 1900 < found.year < 2200 and found.year != _NO_YEAR:
            return found.date()
    for form in _READ_DAYS:
        found = _read(f"{cleaned} {_NO_YEAR}", f"{form} %Y")
        if found is not None:
            return found.date()
    return None


def read_time(text: str) -> time | None:
    """The time of day that ``text`` says."""
    cleaned = " ".join(text.upper().replace(".", "").split())
    return next((found.time() for form in _READ_TIMES if (found := _read(cleaned, form)) is not None), None)


def _read(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form)
    except ValueError:
        return None


def _word(text: str, argument: str) -> str | None:
    words, index = text.split(), int(argument)
    index = index - 1 if index > 0 else index
    return words[index] if -len(words) <= index < len(words) else None


def _number(text: str, argument: str) -> str | None:
    if text.casefold() in _NUMBER_WORDS:
        return str(_NUMBER_WORDS.index(text.casefold()))
    digits = re.sub(r"\D", "", text)
    return digits or None


def _date(text: str, argument: str) -> str | None:
    found = read_date(text)
    if found is None or (found.year == _NO_YEAR and "yyyy" in argument):
        return None
    form = DATE_FORMATS[argument].replace("{d}", str(found.day)).replace("{m}", str(found.month))
    return found.strftime(form)


def _time(text: str, argument: str) -> str | None:
    found = read_time(text)
    if found is None:
        return None
    return found.strftime(TIME_FORMATS[argument].replace("{h}", str(found.hour % 12 or 12)))


_TRANSFORMS: dict[str, Callable[[str, str], str | None]] = {
    "": lambda text, argument: text,
    "lower": lambda text, argument: text.lower(),
    "upper": lambda text, argument: text.upper(),
    "title": lambda text, argument: text.title(),
    "sentence": lambda text, argument: text.capitalize(),
    "word": _word,
    "number": _number,
    "date": _date,
    "time": _time,
}
