"""Triggers of SQLite, per row."""

from collections.abc import Sequence

from tournaments.operations.revision import PUBLIC_STATES, REVISION, SITE_REVISION, Counted
from tournaments.operations.triggers.expressions import (
    ADD_REVISION,
    EVENT_KEY,
    FROM_SAME_HUNDRED,
    HUNDRED_KEY,
    NAMES_KEY,
    REFUSALS,
)
from tournaments.search.engines import ENTRIES, FTS

# SQLite has no statement triggers: a bulk write counts once per row, which is slower but also correct.
INSTALLED = "SELECT name FROM sqlite_master WHERE type = 'trigger'"

# Microseconds as Django writes them, because times are compared as text. Django omits the fraction of a
# whole second, so it is never zero.
NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now') || '001'"
SHOWN_AT = f"CASE WHEN NEW.state IN ({PUBLIC_STATES}) THEN {NOW} END"
FIRST_REVISION = ADD_REVISION.format(values=f"VALUES (NEW.id, 1, {NOW}, {SHOWN_AT})")
FIRST_OF_OWNER = "VALUES (NEW.id, 1)"
DROPPED = "DROP TRIGGER IF EXISTS {name}"

NEXT_REVISION = f"UPDATE {REVISION} SET number = number + 1, changed_at = {NOW}"
REMOVED = [
    f"UPDATE {SITE_REVISION} SET removed = number",
    f"DELETE FROM {ENTRIES} WHERE key IN ({EVENT_KEY.format(id='OLD.id')}, {NAMES_KEY.format(id='OLD.id')})",
]
TAKE_TEXT = f"INSERT INTO {FTS} ({FTS}, rowid, words) VALUES ('delete', OLD.key, OLD.words)"
ADD_TEXT = f"INSERT INTO {FTS} (rowid, words) VALUES (NEW.key, NEW.words)"
FOLLOWING = {"insert": [ADD_TEXT], "update": [TAKE_TEXT, ADD_TEXT], "delete": [TAKE_TEXT]}
"""The FTS5 table reads its texts from the entries and needs the old text to delete it."""
ROWS = {"insert": ("NEW",), "update": ("OLD", "NEW"), "delete": ("OLD",)}


def events_of(query: str, action: str) -> str:
    return " UNION ".join(query.format(row=row) for row in ROWS[action])


def owners_of(owner: str, action: str) -> str:
    return ", ".join(owner.format(row=row) for row in ROWS[action])


def leaving_hundreds(counted: Counted) -> list[str]:
    entry = HUNDRED_KEY.format(id="OLD.id", kind=counted.kind.value)
    same = FROM_SAME_HUNDRED.format(id="OLD.id")
    table = counted.revisions._meta.db_table
    return [
        f"DELETE FROM {ENTRIES} WHERE key = {entry}",
        f"UPDATE {table} SET searched = 0 WHERE {counted.column} BETWEEN {same}",
    ]


def trigger(name: str, table: str, action: str, work: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    return _trigger(name, f"AFTER {action} ON {table}", work)


def other_triggers() -> list[tuple[str, tuple[str, ...]]]:
    texts = [trigger(f"crosstable_{ENTRIES}_{action}", ENTRIES, action, FOLLOWING[action]) for action in ROWS]
    return [*texts, *_refusing(), _never_falling()]


def _refusing() -> list[tuple[str, tuple[str, ...]]]:
    return [
        trigger(
            f"crosstable_{table}_refuse_{action}",
            table,
            action,
            [
                f"SELECT RAISE(ABORT, '{message}') WHERE {condition}"
                for message, condition in refusals.items()
            ],
        )
        for table, refusals in REFUSALS.items()
        for action in ("insert", "update")
    ]


def _never_falling() -> tuple[str, tuple[str, ...]]:
    """Return the trigger that prevents fixtures and stale objects from writing a lower revision."""
    return _trigger(
        "crosstable_revision_never_falls",
        f"AFTER UPDATE OF number ON {REVISION} WHEN NEW.number <= OLD.number",
        [f"UPDATE {REVISION} SET number = OLD.number + 1 WHERE event_id = NEW.event_id"],
    )


def _trigger(name: str, when: str, work: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    created = f"CREATE TRIGGER {name} {when} BEGIN {'; '.join(work)}; END"
    return name, (f"DROP TRIGGER IF EXISTS {name}", created)
