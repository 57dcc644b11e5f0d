"""Triggers of PostgreSQL: a revision per statement, with transition tables; refusals per row."""

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
from tournaments.search.engines import ENTRIES

INSTALLED = "SELECT tgname FROM pg_trigger"

RAISE_SITE = (
    f"INSERT INTO {SITE_REVISION} (id, number) VALUES (1, 1)"
    f" ON CONFLICT (id) DO UPDATE SET number = {SITE_REVISION}.number + 1;"
)
RAISE_PEOPLE = (
    f"INSERT INTO {SITE_REVISION} (id, number, people) VALUES (1, 1, 1)"
    f" ON CONFLICT (id) DO UPDATE SET people = {SITE_REVISION}.people + 1;"
)
# The time of the write. CURRENT_TIMESTAMP is the start of the transaction.
NOW = "clock_timestamp()"
FIRST_REVISION = (
    f"INSERT INTO {REVISION} (event_id, number, changed_at, public_at)"
    f" SELECT id, 1, {NOW}, CASE WHEN state IN ({PUBLIC_STATES}) THEN {NOW} END FROM new_rows"
    f" ON CONFLICT (event_id) DO UPDATE SET number = {REVISION}.number + 1,"
    f" named = {REVISION}.number + 1, changed_at = excluded.changed_at,"
    f" public_at = COALESCE({REVISION}.public_at, excluded.public_at);"
)
DROPPED = "DROP FUNCTION IF EXISTS {name}() CASCADE"

NEXT_REVISION = f"UPDATE {REVISION} SET number = number + 1, changed_at = {NOW}"
NAMED = ", named = number + 1"
# Locks the row of the site until the commit, so that the numbers are in the order of the commits.
SET_LISTED = f"UPDATE {REVISION} SET listed = (SELECT number FROM {SITE_REVISION})"
LISTED = f"{SET_LISTED} WHERE event_id IN ({{events}});"
LISTED_ALL = f"{SET_LISTED}; UPDATE {SITE_REVISION} SET removed = number;"
REMOVED = (
    f"UPDATE {SITE_REVISION} SET removed = number;"
    f" DELETE FROM {ENTRIES} WHERE key IN (SELECT {EVENT_KEY.format(id='id')} FROM old_rows"
    f" UNION ALL SELECT {NAMES_KEY.format(id='id')} FROM old_rows);"
)
SHOWN_AT = f"SELECT {NOW} FROM new_rows n WHERE n.id = {REVISION}.event_id AND n.state IN ({PUBLIC_STATES})"
ROWS = {
    "insert": ("REFERENCING NEW TABLE AS new_rows", "SELECT * FROM new_rows"),
    "update": (
        "REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows",
        "SELECT * FROM old_rows UNION ALL SELECT * FROM new_rows",
    ),
    "delete": ("REFERENCING OLD TABLE AS old_rows", "SELECT * FROM old_rows"),
}
# Two concurrent transactions that pair the same competitor would not see each other's rows.
ONE_WRITER_A_ROUND = {
    "tournaments_pairing": "PERFORM 1 FROM tournaments_round WHERE id = NEW.round_id FOR NO KEY UPDATE;"
}


def triggers() -> dict[str, tuple[str, ...]]:
    people = [each for counted in COUNTED for each in _counting_people(counted)]
    return dict([*_counting(), *people, *_emptying(), *_refusing(), _never_falling()])


def _counting() -> list[tuple[str, tuple[str, ...]]]:
    made = []
    for model, events in EVENTS_OF.items():
        table = model._meta.db_table
        for action, (referencing, rows) in ROWS.items():
            touched = f"SELECT e.event_id FROM ({rows}) t, LATERAL ({events.format(row='t')}) e"
            shown = f", public_at = COALESCE(public_at, ({SHOWN_AT}))"
            set_too = shown if model is Event and action == "update" else ""
            set_too += NAMED if model in SEARCHED else ""
            work = f"{NEXT_REVISION}{set_too} WHERE event_id IN ({touched});"
            if model is Event and action == "insert":
                work = FIRST_REVISION
            # The list of events, search and series read these tables and depend on the revision of the
            # site.
            if model in SITE_WIDE:
                work += RAISE_SITE + LISTED.format(events=touched)
            if model is Event and action == "delete":
                work += REMOVED
            when = f"AFTER {action} ON {table} {referencing} FOR EACH STATEMENT"
            made.append(_trigger(f"crosstable_{table}_{action}", when, f"{work} RETURN NULL;"))
    return made


def _counting_people(counted: Counted) -> list[tuple[str, tuple[str, ...]]]:
    """Return the triggers that raise the revisions of persons and teams, and of pages that link to them."""
    made = []
    table, column = counted.revisions._meta.db_table, counted.column
    for model, owner in counted.of.items():
        for action, (referencing, rows) in ROWS.items():
            touched = f"SELECT {owner.format(row='t')} FROM ({rows}) t"
            raised = "number = number + 1" + (NAMED if model in counted.searched else "")
            work = f"UPDATE {table} SET {raised} WHERE {column} IN ({touched});"
            if model is counted.owner and action == "insert":
                work = (
                    f"INSERT INTO {table} ({column}, number) SELECT id, 1 FROM new_rows"
                    f" ON CONFLICT ({column})"
                    f" DO UPDATE SET number = {table}.number + 1, named = {table}.number + 1;"
                )
            if model is counted.owner and action == "delete":
                work += _leaving_hundreds(counted)
            if model in LEADING:
                events = f"SELECT e.event_id FROM ({rows}) t, LATERAL ({LEADING[model].format(row='t')}) e"
                work += f"{NEXT_REVISION}{NAMED} WHERE event_id IN ({events});"
            name = f"crosstable_{model._meta.db_table}_people_{action}"
            when = f"AFTER {action} ON {model._meta.db_table} {referencing} FOR EACH STATEMENT"
            made.append(_trigger(name, when, f"{work} {RAISE_PEOPLE} RETURN NULL;"))
        work = f"UPDATE {table} SET number = number + 1{NAMED}; {NEXT_REVISION}; {RAISE_PEOPLE} RETURN NULL;"
        name = f"crosstable_{model._meta.db_table}_people_truncate"
        made.append(_trigger(name, f"AFTER TRUNCATE ON {model._meta.db_table} FOR EACH STATEMENT", work))
    return made


def _leaving_hundreds(counted: Counted) -> str:
    """Return the statement that deletes the search texts with a deleted person. A search rebuilds them."""
    table, column = counted.revisions._meta.db_table, counted.column
    entry = HUNDRED_KEY.format(id="id", kind=counted.kind.value)
    return (
        f"DELETE FROM {ENTRIES} WHERE key IN (SELECT {entry} FROM old_rows);"
        f" UPDATE {table} SET searched = 0 FROM old_rows o"
        f" WHERE {column} BETWEEN {FROM_SAME_HUNDRED.format(id='o.id')};"
    )


def _emptying() -> list[tuple[str, tuple[str, ...]]]:
    """Return the triggers of TRUNCATE. It has no rows, so it counts for every event."""
    return [
        _trigger(
            f"crosstable_{model._meta.db_table}_truncate",
            f"AFTER TRUNCATE ON {model._meta.db_table} FOR EACH STATEMENT",
            f"{NEXT_REVISION}{NAMED}; {RAISE_SITE} {LISTED_ALL} RETURN NULL;",
        )
        for model in EVENTS_OF
    ]


def _refusing() -> list[tuple[str, tuple[str, ...]]]:
    return [
        _trigger(
            f"crosstable_{table}_refuse",
            f"AFTER INSERT OR UPDATE ON {table} FOR EACH ROW",
            ONE_WRITER_A_ROUND.get(table, "")
            + " ".join(
                f"IF {condition} THEN RAISE EXCEPTION '{message}'"
                " USING ERRCODE = 'integrity_constraint_violation'; END IF;"
                for message, condition in refusals.items()
            )
            + " RETURN NULL;",
        )
        for table, refusals in REFUSALS.items()
    ]


def _never_falling() -> tuple[str, tuple[str, ...]]:
    """Return the trigger that prevents fixtures and stale objects from writing a lower revision."""
    return _trigger(
        "crosstable_revision_never_falls",
        f"BEFORE UPDATE OF number ON {REVISION} FOR EACH ROW WHEN (NEW.number <= OLD.number)",
        "NEW.number := OLD.number + 1; RETURN NEW;",
    )


def _trigger(name: str, when: str, body: str) -> tuple[str, tuple[str, ...]]:
    return name, (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$",
        f"CREATE OR REPLACE TRIGGER {name} {when} EXECUTE FUNCTION {name}()",
    )
