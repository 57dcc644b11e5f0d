"""What was taken off the pages, and when: nothing older is shown while the database is away (ADR 0036).

Each process knows what it last saw of an event, and one that has not seen a removal would go on showing it.
So the act itself leaves a mark beside the database: a file for the processes of one machine, an entry in the
cache for machines that share one. Only its time counts, and an hour later it means nothing.
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
"""Seconds for which pages are shown as they were; older marks are not needed."""

COMMIT = 5
"""Seconds that a transaction may take from the mark to its end: whoever reads meanwhile sees the old rows."""

ROUNDED = 0.001
"""Seconds that the time of a file may differ from the one it was given."""

EVERYTHING, ANYTHING = "everything", "anything"
"""Marks that stand for all events, and for at least one."""

log = logging.getLogger(__name__)


def withdraw(event_id: int | None = None) -> None:
    """Mark that rows of that event, or of any, are taken off the pages by this transaction.

    Until its end is known the mark lies ahead, because an outage may swallow the answer to a commit that
    took place.
    """
    names, ahead = (str(event_id or EVERYTHING), ANYTHING), clock() + COMMIT

    def settle() -> None:
        for name in names:
            if _marked_at(name) <= ahead + ROUNDED:  # else somebody else's lies ahead
                _mark(name, clock())

    try:
        for name in names:
            _mark(name, max(ahead, _marked_at(name)))
        transaction.on_commit(settle)
    except OSError:
        # The act goes on: to refuse a removal because of what might be shown later helps nobody.
        log.exception("A withdrawal could not be marked in the folder MARKS")


def withdrawn_at(event_id: int | None = None) -> float:
    """Return when something of that event was last withdrawn, or of any event, in seconds since 1970.

    0 where nothing was within the hour, infinity where the marks cannot be read.
    """
    try:
        return max(map(_marked_at, (EVERYTHING, str(event_id)) if event_id else (ANYTHING,)))
    except OSError:
        return inf


def _mark(name: str, moment: float) -> None:
    cache.set(_key(name), moment, LONGEST_OUTAGE + COMMIT)
    _touch(Path(settings.MARKS) / name, moment)


def _touch(path: Path, moment: float) -> None:
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
