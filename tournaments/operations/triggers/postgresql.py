"""Triggers of PostgreSQL: a revision per statement, with transition tables; refusals per row."""

from collections.abc import Iterator, Sequence

from tournaments.operations.revision import (
    COUNTED,
    EVENTS_OF,
    PUBLIC_STATES,
    REVISION,
    SITE_REVISION,
    Counted,
)
from tournaments.operations.triggers.expressions import (
    ADD_REVISION,
    EVENT_KEY,
    FROM_SAME_HUNDRED,
    HUNDRED_KEY,
    NAMED,
    NAMES_KEY,
    RAISE_PEOPLE,
    RAISE_SITE,
    REFUSALS,
    SET_LISTED,
)
from tournaments.search.engines import ENTRIES

INSTALLED = "SELECT tgname FROM pg_trigger"

# The time of the write. CURRENT_TIMESTAMP is the start of the transaction.
NOW = "clock_timestamp()"
FIRST_REVISION = ADD_REVISION.format(
    values=f"SELECT id, 1, {NOW}, CASE WHEN state IN ({PUBLIC_STATES}) THEN {NOW} END FROM new_rows"
)
FIRST_OF_OWNER = "SELECT id, 1 FROM new_rows"
DROPPED = "DROP FUNCTION IF EXISTS {name}() CASCADE"

NEXT_REVISION = f"UPDATE {REVISION} SET number = number + 1, changed_at = {NOW}"
SET_REMOVED = f"UPDATE {SITE_REVISION} SET removed = number"
KEYS = " UNION ALL ".join(f"SELECT {key.format(id='id')} FROM old_rows" for key in (EVENT_KEY, NAMES_KEY))
REMOVED = [SET_REMOVED, f"DELETE FROM {ENTRIES} WHERE key IN ({KEYS})"]
SHOWN_AT = f"(SELECT {NOW} FROM new_rows n WHERE n.id = {REVISION}.event_id AND n.state IN ({PUBLIC_STATES}))"
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


def events_of(query: str, action: str) -> str:
    return f"SELECT e.event_id FROM ({ROWS[action][1]}) t, LATERAL ({query.format(row='t')}) e"


def owners_of(owner: str, action: str) -> str:
    return f"SELECT {owner.format(row='t')} FROM ({ROWS[action][1]}) t"


def leaving_hundreds(counted: Counted) -> list[str]:
    """Return the statements that delete the search texts with a deleted person. A search rebuilds them."""
    table, column = counted.revisions._meta.db_table, counted.column
    entry = HUNDRED_KEY.format(id="id", kind=counted.kind.value)
    same = FROM_SAME_HUNDRED.format(id="o.id")
    return [
        f"DELETE FROM {ENTRIES} WHERE key IN (SELECT {entry} FROM old_rows)",
        f"UPDATE {table} SET searched = 0 FROM old_rows o WHERE {column} BETWEEN {same}",
    ]


def trigger(name: str, table: str, action: str, work: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    when = f"AFTER {action} ON {table} {ROWS[action][0]} FOR EACH STATEMENT"
    return _trigger(name, when, f"{'; '.join(work)}; RETURN NULL;")


def other_triggers() -> list[tuple[str, tuple[str, ...]]]:
    return [*_emptying(), *_refusing(), _never_falling()]


def _emptying() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the triggers of TRUNCATE. It has no rows, so it counts for every event, person or team."""
    for model in EVENTS_OF:
        table = model._meta.db_table
        work = f"{NEXT_REVISION}{NAMED}; {RAISE_SITE}; {SET_LISTED}; {SET_REMOVED}; RETURN NULL;"
        yield _trigger(f"crosstable_{table}_truncate", f"AFTER TRUNCATE ON {table} FOR EACH STATEMENT", work)
    for counted in COUNTED:
        raised = f"UPDATE {counted.revisions._meta.db_table} SET number = number + 1{NAMED}"
        for table in (model._meta.db_table for model in counted.of):
            work = f"{raised}; {NEXT_REVISION}; {RAISE_PEOPLE}; RETURN NULL;"
            name = f"crosstable_{table}_people_truncate"
            yield _trigger(name, f"AFTER TRUNCATE ON {table} FOR EACH STATEMENT", work)


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
