"""The imported lists: files in the folder RATING_LISTS, named by source, date and kind."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from tournaments.interchange.ratinglists.players import KINDS, SOURCES

ENDING, PART = ".sqlite3", ".part"
LAYOUT = 1
"""Version of the tables in a list's file. Files of another version are ignored and must be imported again."""


class RatingList(NamedTuple):
    """An imported list.

    `bad`: number of skipped rows; `examples`: the first of them as text. `size`: in bytes.
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
    """Return the folder of the lists, which may not exist yet."""
    return Path(settings.RATING_LISTS)


def lists(source: str = "") -> list[RatingList]:
    """Return the imported lists of one source or of all, newest first."""
    found = filter(None, (_read_metadata(path) for path in folder().glob(f"{source or ''}*{ENDING}")))
    return sorted(found, key=lambda each: (each.date, each.imported), reverse=True)


def newest(source: str, kind: str = "") -> RatingList | None:
    """Return the newest list of a source, preferably with ratings of that kind."""
    there = lists(source)
    return next((each for each in there if kind in each.kinds), there[0] if there else None)


def find(name: str) -> RatingList | None:
    return next((item for item in lists() if item.name == name), None)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a list for reading. Its file never changes, because a newer list replaces it at once."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as opened:
        yield opened


def path_of(rating_list: RatingList) -> Path:
    return folder() / f"{rating_list.name}{ENDING}"


def older(keep: int) -> list[Path]:
    """Return the files to delete: superseded lists of each source and kind, and interrupted imports."""
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


def _read_metadata(path: Path) -> RatingList | None:
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
