"""The lists that are there: each a file of the folder RATING_LISTS, named by source, day and kind."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from tournaments.ratinglists.players import KINDS, SOURCES

ENDING, PART = ".sqlite3", ".part"
LAYOUT = 1
"""Of the tables in a list's file; one of another layout is not opened, and imported again."""


class RatingList(NamedTuple):
    """A list: whose, from which day on, of which kinds, and what its import found.

    `bad` is the number of rows that were left out, `examples` the first of them in words; `size` is in bytes.
    """

    name: str
    source: str
    date: str
    kinds: tuple[str, ...]
    rows: int
    bad: int
    examples: tuple[str, ...]
    sha256: str
    imported: datetime
    by: str
    size: int

    def __str__(self) -> str:
        about = "" if self.kinds == KINDS or len(self.kinds) > 1 else f" ({self.kinds[0]})"
        return f"{SOURCES[self.source]} {self.date}{about}"


def folder() -> Path:
    """Return the folder of the lists, which may not be there yet."""
    return Path(settings.RATING_LISTS)


def lists(source: str = "") -> list[RatingList]:
    """Return the lists that are there, of one source or all; the newest first."""
    found = filter(None, (_about(path) for path in folder().glob(f"{source or ''}*{ENDING}")))
    return sorted(found, key=lambda each: (each.date, each.imported), reverse=True)


def newest(source: str, kind: str = "") -> RatingList | None:
    """Return the newest list of a source; one that has ratings of that kind, where there is one."""
    there = lists(source)
    return next((each for each in there if kind in each.kinds), there[0] if there else None)


def find(name: str) -> RatingList | None:
    """Return the list of that name, None where there is none."""
    return next((each for each in lists() if each.name == name), None)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a list to be read. Its file is never written again: a newer one takes its name at once."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as opened:
        yield opened


def path_of(rating_list: RatingList) -> Path:
    """Return the file of a list."""
    return folder() / f"{rating_list.name}{ENDING}"


def older(keep: int) -> list[Path]:
    """Return the files that may go: lists beyond the newest of each source and kind, imports that died."""
    now = datetime.now(UTC).timestamp()
    beyond: list[Path] = []
    for source in SOURCES:
        by_kinds: dict[tuple[str, ...], int] = {}
        for each in lists(source):
            by_kinds[each.kinds] = by_kinds.get(each.kinds, 0) + 1
            if by_kinds[each.kinds] > keep:
                beyond.append(path_of(each))
    left = (path for pattern in (f"*{PART}*", "incoming/*") for path in folder().glob(pattern))
    return beyond + [path for path in left if now - path.stat().st_mtime > 24 * 60 * 60]


def _about(path: Path) -> RatingList | None:
    """Return what a file says of itself; None where it is not ours, or gone this moment."""
    try:
        with reading(path) as opened:
            told = dict(opened.execute("SELECT key, value FROM about").fetchall())
        if told.get("layout") != str(LAYOUT):
            return None
        return RatingList(
            path.stem,
            told["source"],
            told["date"],
            tuple(told["kinds"].split()),
            int(told["rows"]),
            int(told["bad"]),
            tuple(told["examples"].splitlines()),
            told["sha256"],
            datetime.fromisoformat(told["imported"]),
            told["by"],
            path.stat().st_size,
        )
    except (sqlite3.Error, OSError, KeyError):
        return None
