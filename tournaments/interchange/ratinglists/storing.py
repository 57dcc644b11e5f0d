"""Convert a published list into a search file, which replaces the old one when it is complete.

The site's database is not used, so no arbiter waits. An interrupted import leaves a temporary file, which the
housekeeping deletes a day later.
"""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path
from secrets import token_hex
from urllib.parse import quote

from django.conf import settings

from tournaments.event.dates import parse_day
from tournaments.interchange.ratinglists.folder import ENDING, LAYOUT, PART, RatingList, find, folder, older
from tournaments.interchange.ratinglists.players import folded
from tournaments.interchange.ratinglists.published import BadLine, NoListError, PublishedList, opened

Tell = Callable[[int, int], None]

BATCH = 5_000
"""Rows per batch."""

MOST_EXAMPLES = 50
"""Number of bad rows with details. All are counted."""

PARTS = 1_000
"""Progress units: 600 for reading, the rest for sorting, ids and words."""
READ, ORDERED, IN_PLACE = 600, 700, 800

_COLUMNS = "id, name, federation, sex, title, born, standard, rapid, blitz, is_inactive"
_STAGED = f"CREATE TABLE staged.row (line, {_COLUMNS})"
_ABOUT = "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
_PLAYER = """
CREATE TABLE player (place INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL,
    federation TEXT NOT NULL, sex TEXT NOT NULL, title TEXT NOT NULL, born INTEGER,
    standard INTEGER, rapid INTEGER, blitz INTEGER, is_inactive INTEGER NOT NULL)
"""
# Places are ordered by rating, so that a search for the strongest players can stop early.
_FILL = f"""
INSERT INTO player ({_COLUMNS}) SELECT {_COLUMNS} FROM staged.row
ORDER BY max(ifnull(standard, 0), ifnull(rapid, 0), ifnull(blitz, 0)) DESC, name, id
"""  # noqa: S608 - only our own names
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
    """Import a published list, replacing one of the same source, date and kind.

    `name`: published name of the file, if `path` differs. `date`: date of the list, blank to use the one
    in the file. Raise NoListError if the file is not a list, or if its date is unknown.
    """
    place = folder()
    place.mkdir(parents=True, exist_ok=True)
    with path.open("rb") as file:
        sha256 = file_digest(file, "sha256").hexdigest()
    with opened(path, name or path.name, kind, lambda share: tell(int(share * READ), PARTS)) as published:
        day = date or published.date
        if not parse_day(day):
            raise NoListError("The file gives no first day of validity. Give the day, such as 2026-05-01.")
        own = f"{source}-{day}{'' if len(published.kinds) > 1 else f'-{published.kinds[0]}'}"
        # A worker that hung may continue while another repeats its job.
        part = place / f"{own}-{token_hex(4)}{PART}"
        try:
            about = {
                "source": source,
                "date": day,
                "kinds": " ".join(published.kinds),
                "sha256": sha256,
                "by": by,
            }
            _write_file(part, published, about, tell)
            part.replace(place / f"{own}{ENDING}")
        finally:
            for each in (part, _staging_path(part)):
                each.unlink(missing_ok=True)
    for going in older(settings.KEEP_RATING_LISTS):
        going.unlink(missing_ok=True)
    tell(PARTS, PARTS)
    made = find(own)
    if made is None:
        raise NoListError("The list was stored and cannot be read again: its folder has changed.")
    return made


class _SkippedRows:
    """Number of skipped rows, and the first of them."""

    def __init__(self) -> None:
        self.count = 0
        self.first: list[BadLine] = []

    def add(self, bad: BadLine) -> None:
        self.count += 1
        if len(self.first) < MOST_EXAMPLES:
            self.first.append(bad)

    def __str__(self) -> str:
        return "\n".join(f"Line {each.line}: {each.why}" for each in self.first)


def _address(path: Path) -> str:
    # No locks, which a network file system may lack: no other process opens the file.
    return f"file:{quote(str(path))}?nolock=1"


def _staging_path(part: Path) -> Path:
    return part.with_name(f"{part.name}-staged")


def _write_file(part: Path, published: PublishedList, about: dict[str, str], tell: Tell) -> None:
    with closing(sqlite3.connect(_address(part), uri=True, isolation_level=None)) as made:
        # No journal, because an incomplete file is discarded. The cache size limits memory for sorting too.
        made.execute("PRAGMA journal_mode=OFF")
        made.execute("PRAGMA synchronous=OFF")
        made.execute("PRAGMA cache_size=-16000")
        made.execute("ATTACH ? AS staged", [_address(_staging_path(part))])
        made.execute("PRAGMA staged.journal_mode=OFF")
        made.execute("PRAGMA staged.synchronous=OFF")
        for statement in (_STAGED, _ABOUT, _PLAYER):
            made.execute(statement)
        left_out = _SkippedRows()
        _stage_players(made, published, left_out)
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


def _stage_players(made: sqlite3.Connection, published: PublishedList, left_out: _SkippedRows) -> None:
    batch: list[tuple[object, ...]] = []
    insert = f"INSERT INTO staged.row VALUES ({', '.join('?' * 11)})"  # noqa: S608 - only question marks
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


def _drop_repeated(made: sqlite3.Connection, left_out: _SkippedRows) -> None:
    nth = "row_number() OVER (PARTITION BY id ORDER BY rowid)"
    numbered = f"SELECT line, id, rowid AS row, {nth} AS nth FROM staged.row"  # noqa: S608 - our own names
    repeated = made.execute(f"SELECT line, id, row FROM ({numbered}) WHERE nth > 1 ORDER BY row")  # noqa: S608 - the same
    keys = []
    for line, number, key in repeated:
        left_out.add(BadLine(line, f"{number} is there already."))
        keys.append((key,))
    made.executemany("DELETE FROM staged.row WHERE rowid = ?", keys)


def _index_words(made: sqlite3.Connection, tell: Tell) -> int:
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
