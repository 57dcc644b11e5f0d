"""Triggers of SQLite, per row."""

from tournaments.models import Event
from tournaments.operations.revision import (
    COUNTED,
    EVENTS_OF,
    LEADING,
    PUBLIC_STATES,
    REVISION,
    SEARCHED,
    SITE_REVISION,
    SITE_WIDE,
    Counted,
)
from tournaments.operations.triggers.expressions import (
    EVENT_KEY,
    FROM_SAME_HUNDRED,
    HUNDRED_KEY,
    NAMES_KEY,
    REFUSALS,
)
from tournaments.search.engines import ENTRIES, FTS

# SQLite has no statement triggers: a bulk write counts once per row, which is slower but also correct.
INSTALLED = "SELECT name FROM sqlite_master WHERE type = 'trigger'"

RAISE_SITE = (
    f"INSERT INTO {SITE_REVISION} (id, number) VALUES (1, 1)"
    " ON CONFLICT (id) DO UPDATE SET number = number + 1"
)
RAISE_PEOPLE = (
    f"INSERT INTO {SITE_REVISION} (id, number, people) VALUES (1, 1, 1)"
    " ON CONFLICT (id) DO UPDATE SET people = people + 1"
)
# Microseconds as Django writes them, because times are compared as text. Django omits the fraction of a
# whole second, so it is never zero.
NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now') || '001'"
SHOWN_AT = f"CASE WHEN NEW.state IN ({PUBLIC_STATES}) THEN {NOW} END"
FIRST_REVISION = (
    f"INSERT INTO {REVISION} (event_id, number, changed_at, public_at) VALUES (NEW.id, 1, {NOW}, {SHOWN_AT})"
    " ON CONFLICT (event_id) DO UPDATE SET number = number + 1, named = number + 1,"
    " changed_at = excluded.changed_at,"
    " public_at = COALESCE(public_at, excluded.public_at)"
)
DROPPED = "DROP TRIGGER IF EXISTS {name}"

NEXT_REVISION = f"UPDATE {REVISION} SET number = number + 1, changed_at = {NOW}"
NAMED = ", named = number + 1"
LISTED = f"UPDATE {REVISION} SET listed = (SELECT number FROM {SITE_REVISION}) WHERE event_id IN ({{events}})"
REMOVED = [
    f"UPDATE {SITE_REVISION} SET removed = number",
    f"DELETE FROM {ENTRIES} WHERE key IN ({EVENT_KEY.format(id='OLD.id')}, {NAMES_KEY.format(id='OLD.id')})",
]
TAKE_TEXT = f"INSERT INTO {FTS} ({FTS}, rowid, words) VALUES ('delete', OLD.key, OLD.words)"
ADD_TEXT = f"INSERT INTO {FTS} (rowid, words) VALUES (NEW.key, NEW.words)"
FOLLOWING = {"insert": [ADD_TEXT], "update": [TAKE_TEXT, ADD_TEXT], "delete": [TAKE_TEXT]}
"""The FTS5 table reads its texts from the entries and needs the old text to delete it."""
ROWS = {"insert": ("NEW",), "update": ("OLD", "NEW"), "delete": ("OLD",)}


def triggers() -> dict[str, tuple[str, ...]]:
    people = [each for counted in COUNTED for each in _counting_people(counted)]
    return dict([*_counting(), *people, *_following(), *_refusing(), _never_falling()])


def _counting() -> list[tuple[str, tuple[str, ...]]]:
    made = []
    for model, events in EVENTS_OF.items():
        table = model._meta.db_table
        for action, rows in ROWS.items():
            touched = " UNION ".join(events.format(row=row) for row in rows)
            shown = f", public_at = COALESCE(public_at, {SHOWN_AT})"
            set_too = shown if model is Event and action == "update" else ""
            set_too += NAMED if model in SEARCHED else ""
            work = [f"{NEXT_REVISION}{set_too} WHERE event_id IN ({touched})"]
            if model is Event and action == "insert":
                work = [FIRST_REVISION]
            if model in SITE_WIDE:
                work += [RAISE_SITE, LISTED.format(events=touched)]
            if model is Event and action == "delete":
                work += REMOVED
            made.append(_trigger(f"crosstable_{table}_{action}", f"AFTER {action} ON {table}", work))
    return made


def _counting_people(counted: Counted) -> list[tuple[str, tuple[str, ...]]]:
    """Return the triggers that raise the revisions of persons and teams, and of pages that link to them."""
    made = []
    table, column = counted.revisions._meta.db_table, counted.column
    for model, owner in counted.of.items():
        for action, rows in ROWS.items():
            touched = ", ".join(owner.format(row=row) for row in rows)
            raised = "number = number + 1" + (NAMED if model in counted.searched else "")
            work = [f"UPDATE {table} SET {raised} WHERE {column} IN ({touched})"]
            if model is counted.owner and action == "insert":
                first = f"INSERT INTO {table} ({column}, number) VALUES (NEW.id, 1)"
                work = [f"{first} ON CONFLICT ({column}) DO UPDATE SET {raised}"]
            if model is counted.owner and action == "delete":
                work += _leaving_hundreds(counted)
            if model in LEADING:
                events = " UNION ".join(LEADING[model].format(row=row) for row in rows)
                work.append(f"{NEXT_REVISION}{NAMED} WHERE event_id IN ({events})")
            name = f"crosstable_{model._meta.db_table}_people_{action}"
            made.append(_trigger(name, f"AFTER {action} ON {model._meta.db_table}", [*work, RAISE_PEOPLE]))
    return made


def _leaving_hundreds(counted: Counted) -> list[str]:
    """Return the statement that deletes the search text with a deleted person. A search rebuilds it."""
    entry = HUNDRED_KEY.format(id="OLD.id", kind=counted.kind.value)
    same = FROM_SAME_HUNDRED.format(id="OLD.id")
    table = counted.revisions._meta.db_table
    return [
        f"DELETE FROM {ENTRIES} WHERE key = {entry}",
        f"UPDATE {table} SET searched = 0 WHERE {counted.column} BETWEEN {same}",
    ]


def _following() -> list[tuple[str, tuple[str, ...]]]:
    """Return the triggers that keep the FTS5 table in step with the entries."""
    return [
        _trigger(f"crosstable_{ENTRIES}_{action}", f"AFTER {action} ON {ENTRIES}", work)
        for action, work in FOLLOWING.items()
    ]


def _refusing() -> list[tuple[str, tuple[str, ...]]]:
    return [
        _trigger(
            f"crosstable_{table}_refuse_{action}",
            f"AFTER {action} ON {table}",
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


def _trigger(name: str, when: str, work: list[str]) -> tuple[str, tuple[str, ...]]:
    created = f"CREATE TRIGGER {name} {when} BEGIN {'; '.join(work)}; END"
    return name, (f"DROP TRIGGER IF EXISTS {name}", created)
