"""A published list made into a file that is searched: streamed, beside the old one, and switched at the end.

Nothing of it touches the site's database, so no arbiter waits. A process that dies leaves a file that has no
list's name, which the next import or housekeeping takes away.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path

from django.conf import settings

from tournaments.event.dates import day_of
from tournaments.ratinglists.folder import ENDING, LAYOUT, PART, RatingList, find, folder, older
from tournaments.ratinglists.players import folded
from tournaments.ratinglists.published import BadLine, NoListError, PublishedList, opened

Tell = Callable[[int, int], None]

BATCH = 5_000
"""Rows given to SQLite at a time."""

MOST_EXAMPLES = 50
"""Bad rows that are named; all are counted."""

PARTS = 1_000
"""Of the whole work: 600 are the reading, the rest is the order by rating, the ids and the words."""
READ, ORDERED, IN_PLACE = 600, 700, 800

_COLUMNS = "id, name, federation, sex, title, born, standard, rapid, blitz, is_inactive"
_STAGED = f"CREATE TABLE staged.row (line, {_COLUMNS})"
_ABOUT = "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
_PLAYER = """
CREATE TABLE player (place INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL,
    federation TEXT NOT NULL, sex TEXT NOT NULL, title TEXT NOT NULL, born INTEGER,
    standard INTEGER, rapid INTEGER, blitz INTEGER, is_inactive INTEGER NOT NULL)
"""
# Places by rating: a search that wants the strongest first reads the words in this order, and stops.
_FILL = f"""
INSERT INTO player ({_COLUMNS}) SELECT {_COLUMNS} FROM staged.row
ORDER BY max(ifnull(standard, 0), ifnull(rapid, 0), ifnull(blitz, 0)) DESC, name, id
"""  # noqa: S608 - our own words alone
_WORDS = """
CREATE VIRTUAL TABLE words USING fts5(name, content='', detail=none, columnsize=0, prefix='2 3 4')
"""


def import_list(
    path: Path,
    source: str,
    *,
    name: str = "",
    date: str = "",
    kind: str = "",
    by: str = "",
    tell: Tell = lambda _done, _parts: None,
) -> RatingList:
    """Import a published list and return it; one of the same source, day and kind is replaced.

    `name` is that of the file as it was published, where `path` has another. `date` is the day from which the
    list holds, blank where the file says it. Raise NoListError where the file is none, or nobody says which
    day.
    """
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    with path.open("rb") as file:
        sha256 = file_digest(file, "sha256").hexdigest()
    with opened(path, name or path.name, kind, lambda share: tell(int(share * READ), PARTS)) as published:
        day = date or published.date
        if not day_of(day):
            raise NoListError("The file does not say from which day it holds. Give the day, as 2026-05-01.")
        own = f"{source}-{day}{'' if len(published.kinds) > 1 else f'-{published.kinds[0]}'}"
        part = place / f"{own}{PART}"
        _take_away(part)
        try:
            about = {
                "source": source,
                "date": day,
                "kinds": " ".join(published.kinds),
                "sha256": sha256,
                "by": by,
            }
            _build(part, published, about, tell)
            part.replace(place / f"{own}{ENDING}")
        finally:
            _take_away(part)
    for going in older(settings.KEEP_RATING_LISTS):
        going.unlink(missing_ok=True)
    tell(PARTS, PARTS)
    made = find(own)
    if made is None:
        raise NoListError("The list was stored and cannot be read again: its folder has changed.")
    return made


class _LeftOut:
    """The rows that were left out: how many, and the first of them."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[BadLine] = []

    def add(self, bad: BadLine) -> None:
        """Count a row."""
        self.count += 1
        if len(self.first) < MOST_EXAMPLES:
            self.first.append(bad)

    def __str__(self) -> str:
        return "\n".join(f"Line {each.line}: {each.why}" for each in self.first)


def _take_away(part: Path) -> None:
    for each in (part, _staging(part)):
        each.unlink(missing_ok=True)


def _staging(part: Path) -> Path:
    return part.with_name(f"{part.name}-staged")


def _build(part: Path, published: PublishedList, about: dict[str, str], tell: Tell) -> None:
    """Write the file of a list."""
    with closing(sqlite3.connect(part, isolation_level=None)) as made:
        # No journal: a file that was not finished is thrown away. The cache bounds what sorting takes, too.
        made.execute("PRAGMA journal_mode=OFF")
        made.execute("PRAGMA synchronous=OFF")
        made.execute("PRAGMA cache_size=-16000")
        made.execute("ATTACH ? AS staged", [str(_staging(part))])
        made.execute("PRAGMA staged.journal_mode=OFF")
        made.execute("PRAGMA staged.synchronous=OFF")
        for statement in (_STAGED, _ABOUT, _PLAYER):
            made.execute(statement)
        left_out = _LeftOut()
        _stage(made, published, left_out)
        _drop_repeated(made, left_out)
        made.execute("BEGIN")
        made.execute(_FILL)
        tell(ORDERED, PARTS)
        made.execute("CREATE UNIQUE INDEX player_id ON player (id)")
        tell(IN_PLACE, PARTS)
        rows = _index_words(made, tell)
        if not rows:
            raise NoListError(f"No player could be read. {str(left_out).partition(chr(10))[0]}")
        about |= {
            "layout": str(LAYOUT),
            "rows": str(rows),
            "bad": str(left_out.count),
            "examples": str(left_out),
            "imported": datetime.now(UTC).isoformat(),
        }
        made.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        made.execute("COMMIT")


def _stage(made: sqlite3.Connection, published: PublishedList, left_out: _LeftOut) -> None:
    """Write the players in the order of the file."""
    batch: list[tuple[object, ...]] = []
    insert = f"INSERT INTO staged.row VALUES ({', '.join('?' * 11)})"  # noqa: S608 - question marks alone
    made.execute("BEGIN")
    for line, row in published.rows:
        if isinstance(row, BadLine):
            left_out.add(row)
            continue
        batch.append((line, *row))
        if len(batch) == BATCH:
            made.executemany(insert, batch)
            batch.clear()
    made.executemany(insert, batch)
    made.execute("COMMIT")


def _drop_repeated(made: sqlite3.Connection, left_out: _LeftOut) -> None:
    """Leave out who stands in the list a second time under the same id."""
    nth = "row_number() OVER (PARTITION BY id ORDER BY rowid)"
    numbered = f"SELECT line, id, rowid AS row, {nth} AS nth FROM staged.row"  # noqa: S608 - our own words
    repeated = made.execute(f"SELECT line, id, row FROM ({numbered}) WHERE nth > 1 ORDER BY row")  # noqa: S608 - the same
    keys = []
    for line, number, key in repeated:
        left_out.add(BadLine(line, f"{number} is there already."))
        keys.append((key,))
    made.executemany("DELETE FROM staged.row WHERE rowid = ?", keys)


def _index_words(made: sqlite3.Connection, tell: Tell) -> int:
    """Make the names searchable by their words and return how many players there are."""
    made.execute(_WORDS)
    rows = int(made.execute("SELECT count(*) FROM player").fetchone()[0])
    written = 0
    while written < rows:
        batch = made.execute(
            "SELECT place, name FROM player WHERE place > ? ORDER BY place LIMIT ?", [written, BATCH]
        ).fetchall()
        made.executemany(
            "INSERT INTO words (rowid, name) VALUES (?, ?)", [(place, folded(name)) for place, name in batch]
        )
        written += len(batch)
        tell(IN_PLACE + (PARTS - IN_PLACE) * written // rows, PARTS)
    return rows
