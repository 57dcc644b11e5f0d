"""Times of takedowns: nothing older is shown while the database is down (ADR 0036).

A process that has cached an event, but not seen its takedown, would continue to show it during an outage. So
a takedown also leaves a mark outside of the database: a file for the processes that share the folder, and
a cache entry for those that share a cache. A mark is a time and expires after an hour.
"""

import logging
import os
from contextlib import suppress
from math import inf
from pathlib import Path
from time import time as clock

from django.conf import settings
from django.core.cache import cache
from django.db import transaction

LONGEST_OUTAGE = 3600
"""Seconds for which cached pages are shown in an outage. Older marks are not needed."""

COMMIT = 5
"""Maximum seconds from the mark to the commit, during which readers get the old rows."""

ROUNDED = 0.001
"""Rounding of file times in seconds."""

EVERYTHING, ANYTHING = "everything", "anything"
"""Marks for all events, and for at least one event."""

log = logging.getLogger(__name__)


def withdraw(event_id: int | None = None) -> None:
    """Mark that this transaction takes down rows of an event, or of any event if it is None.

    The time is in the future until the commit is confirmed, because the confirmation may be lost in an
    outage.
    """
    names, ahead = (str(event_id or EVERYTHING), ANYTHING), clock() + COMMIT

    def settle() -> None:
        for name in names:
            if _marked_at(name) <= ahead + ROUNDED:  # else another transaction has set a later time
                _mark(name, clock())

    try:
        for name in names:
            _mark(name, max(ahead, _marked_at(name)))
        transaction.on_commit(settle)
    except OSError:
        # The takedown continues, because it matters more than what an outage might show.
        log.exception("A withdrawal could not be marked in the folder MARKS")


def withdrawn_at(event_id: int | None = None) -> float:
    """Return when rows of the event, or of any event, were last taken down, in seconds since 1970.

    0 if this was more than an hour ago, infinity if the marks cannot be read.
    """
    try:
        return max(map(_marked_at, (EVERYTHING, str(event_id)) if event_id else (ANYTHING,)))
    except OSError:
        return inf


def _mark(name: str, moment: float) -> None:
    cache.set(_key(name), moment, LONGEST_OUTAGE + COMMIT)
    path = Path(settings.MARKS) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.iterdir():
        with suppress(FileNotFoundError):
            if old.stat().st_mtime < clock() - LONGEST_OUTAGE:
                old.unlink()
    path.touch()
    os.utime(path, (moment, moment))


def _marked_at(name: str) -> float:
    try:
        of_file = (Path(settings.MARKS) / name).stat().st_mtime
    except FileNotFoundError:
        of_file = 0.0
    of_cache: float = cache.get(_key(name), 0.0)
    return max(of_file, of_cache)


def _key(name: str) -> str:
    return f"withdrawn-{name}"
