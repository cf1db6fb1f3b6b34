"""The closed set of transforms between what an instruction says and what a page wants.

    ""              the same text
    lower upper     case
    title
    sentence
    word:N          the N-th word, from 1; word:-1 is the last
    number          digits only: "1,250 EUR" -> "1250"; number words up to twenty -> digits
    words           a number up to twenty in a word; ordinal: "3" or "three" -> "3rd"
    date:FORMAT     a date in another form; FORMAT is one of DATE_FORMATS, such as dd.mm.yyyy
    time:FORMAT     a time in another form; FORMAT is one of TIME_FORMATS
    plain           without quotes, punctuation, @ and # around it
    local domain    of an e-mail address; initials: of the words
    letters:N       the first N letters, letters:-N the last; letter:N the N-th
    first last      the first and last day of a period, as yyyy-mm-dd: "May to December 2022", "2022", "May 2022"

Several may follow each other: ``first|date:d mmmm yyyy``, ``word:2|lower``. ``transformed`` applies one; ``ways_from`` lists
those that lead from a text to a value, the simplest first, chains only where no single one does.
"""

from __future__ import annotations

import re
from calendar import month_abbr, month_name, monthrange
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
    "dd": "%d",
    "mm": "%m",
    "m": "{m}",
    "mmm": "%b",
    "yy": "%y",
    "wwww": "%A",
    "www": "%a",
    "mm/dd": "%m/%d",
    "m/d": "{m}/{d}",
    "m/d/yy": "{m}/{d}/%y",
    "dd/mm/yy": "%d/%m/%y",
    "d/m/yyyy": "{d}/{m}/%Y",
    "yyyy/mm/dd": "%Y/%m/%d",
    "dd-mm-yyyy": "%d-%m-%Y",
    "mm-dd-yyyy": "%m-%d-%Y",
    "dd mmm yyyy": "%d %b %Y",
    "mmmm dd, yyyy": "%B %d, %Y",
    "mmmm yyyy": "%B %Y",
    "mmm yyyy": "%b %Y",
    "yyyy-mm": "%Y-%m",
}
TIME_FORMATS = {"hh:mm": "%H:%M", "h:mm am": "{h}:%M %p", "h am": "{h} %p", "h:mmam": "{h}:%M%p", "ham": "{h}%p",
                "hh:mm am": "%I:%M %p", "h:mm": "{h}:%M", "h": "{h}", "hh": "%H", "mm": "%M", "am": "%p"}  # fmt: skip

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
_CASES = ("lower", "upper", "title", "sentence")
_AROUND = " \t\"'\u201c\u201d\u2018\u2019.,;:!?()[]{}<>@#"
_MONTHS = {name.casefold(): n for n in range(1, 13) for name in (month_name[n], month_abbr[n])}
_PERIOD = re.compile(
    r"(?:(?:from|between)\s+)?(?:(?P<first>[a-z]+)\.?(?:\s+(?P<from>\d{4}))?"
    r"(?:\s*(?:to|until|through|and|-|\u2013)\s*(?P<last>[a-z]+)\.?)?[\s,]+)?(?P<year>\d{4})",
    re.IGNORECASE,
)
#: The year of a date that names none: never printed, since only formats without a year accept such a date.
_NO_YEAR = 1904


def transformed(name: str, text: str) -> str:
    """``text`` through the transform ``name``; the text itself where the transform does not apply to it (a word that is
    not there, a date that is none). KeyError for a name outside the set."""
    result: str | None = text
    for part in name.split("|"):
        kind, _, argument = part.partition(":")
        apply = _TRANSFORMS[kind]
        result = None if result is None else apply(result, argument)
    return text if result is None else result


@cache
def ways_from(text: str, value: str) -> tuple[str, ...]:
    """The transforms that turn ``text`` into ``value``, the simplest first."""
    if text == value:
        return ("",)
    if not text or not value:
        return ()
    found = tuple(n for n in _singles(text, value) if transformed(n, text) == value)
    return found or tuple(n for n in _chains(text, value) if transformed(n, text) == value)[:3]


def _singles(text: str, value: str) -> list[str]:
    names = list(_CASES) if text.casefold() == value.casefold() else []
    if value.isdigit():
        names.append("number")
    names += ["words", "ordinal"] if text.strip().isdigit() or text.casefold() in _NUMBER_WORDS else []
    if read_date(text) is not None:
        names += [f"date:{f}" for f in DATE_FORMATS]
    if read_time(text) is not None:
        names += [f"time:{f}" for f in TIME_FORMATS]
    words = text.split()
    if 1 < len(words) <= 8:
        names += [f"word:{n}" for n in range(1, len(words) + 1)] + ["word:-1", "initials"]
    if "@" in text:
        names += ["local", "domain"]
    return names + _parts(text, value)


def _parts(text: str, value: str) -> list[str]:
    """Without what stands around it. Letters are not looked for: a few of them agree by chance."""
    return ["plain"] if value in text else []


def _chains(text: str, value: str) -> list[str]:
    """Two that follow each other: a part and its case or form, an end of a period and its form."""
    words, low = text.split(), value.casefold()
    heads = [f"word:{n}" for n in range(1, len(words) + 1)] if 1 < len(words) <= 8 else []
    heads += ["plain", *(["local", "domain"] if "@" in text else []), *(["initials"] if len(words) > 1 else [])]
    names = [f"{head}|{case}" for head in heads if transformed(head, text).casefold() == low for case in _CASES]
    names += [f"plain|word:{n}" for n in range(1, len(words) + 1)] if 1 < len(words) <= 8 else []
    names += [f"{head}|plain" for head in heads if head.startswith("word") and value in transformed(head, text)]
    names += [f"word:{n}|number" for n in range(1, len(words) + 1)] if value.isdigit() and 1 < len(words) <= 8 else []
    if _period(text) is not None:
        names += [f"{end}|date:{f}" for end in ("first", "last") for f in DATE_FORMATS]
    return ["first", "last", *names] if _period(text) is not None else names


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


@cache
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


def _in_words(text: str, argument: str) -> str | None:
    number = _number(text, "")
    return _NUMBER_WORDS[int(number)] if number and int(number) < len(_NUMBER_WORDS) else None


def _ordinal(text: str, argument: str) -> str | None:
    number = _number(text, "")
    if number is None:
        return None
    ending = "th" if number[-2:] in ("11", "12", "13") else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + ending


def _letters(text: str, argument: str) -> str | None:
    count = int(argument)
    if abs(count) > len(text):
        return None
    return text[:count] if count > 0 else text[count:]


def _letter(text: str, argument: str) -> str | None:
    return text[int(argument) - 1] if 0 < int(argument) <= len(text) else None


def _address(part: int) -> Callable[[str, str], str | None]:
    def of(text: str, argument: str) -> str | None:
        parts = text.strip(_AROUND).split("@")
        return parts[part] if len(parts) == 2 else None

    return of


def _end(last: bool) -> Callable[[str, str], str | None]:
    def of(text: str, argument: str) -> str | None:
        found = _period(text)
        return found[last].isoformat() if found else None

    return of


@cache
def _period(text: str) -> tuple[date, date] | None:
    """The first and last day of the months, or the year, that ``text`` says."""
    found = _PERIOD.fullmatch(" ".join(text.split()))
    if found is None or not 1900 < int(found["year"]) < 2200:
        return None
    named = [found["first"], found["last"] or found["first"]]
    if named[0] is None:
        months = [1, 12]
    elif all(name.casefold() in _MONTHS for name in named):
        months = [_MONTHS[name.casefold()] for name in named]
    else:
        return None
    start, end = int(found["from"] or found["year"]), int(found["year"])
    return date(start, months[0], 1), date(end, months[1], monthrange(end, months[1])[1])


def _date(text: str, argument: str) -> str | None:
    found = read_date(text)
    if found is None or (found.year == _NO_YEAR and ("yy" in argument or argument.startswith("w"))):
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
    "words": _in_words,
    "ordinal": _ordinal,
    "plain": lambda text, argument: text.strip(_AROUND) or None,
    "local": _address(0),
    "domain": _address(1),
    "initials": lambda text, argument: "".join(word[0] for word in text.split()) or None,
    "letters": _letters,
    "letter": _letter,
    "first": _end(False),
    "last": _end(True),
}
