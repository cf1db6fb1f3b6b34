"""The status of a task, subtask or action, from its record: draft, active, stale or quarantined. No clock is asked: what
is stale is measured from the newest recorded time of the site."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

#: Not used for this long before the site's newest recording: the site has probably moved on.
STALE_AFTER = timedelta(days=180)
#: Failures without any success that take a node out of plans.
FAILED_OFTEN = 3


@dataclass(frozen=True)
class Tally:
    """Uses (failed ones included) and verdicts; ``last`` and ``newest`` are ISO 8601 times of its last recording and of
    the site's ("" unknown)."""

    uses: int
    successes: int
    failures: int
    last: str = ""
    newest: str = ""


def status(tally: Tally) -> str:
    if tally.failures >= FAILED_OFTEN and tally.successes == 0:
        return "quarantined"
    last, newest = _time(tally.last), _time(tally.newest)
    if last is not None and newest is not None and newest - last > STALE_AFTER:
        return "stale"
    return "active" if tally.successes > 0 or tally.uses - tally.failures > 1 else "draft"


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found.replace(tzinfo=None)
