"""SQL of the triggers for both databases."""

from tournaments.models import SearchKind
from tournaments.operations.revision import REVISION, SITE_REVISION
from tournaments.search.texts import IN_AN_ENTRY, KINDS

RAISE_SITE = (
    f"INSERT INTO {SITE_REVISION} (id, number) VALUES (1, 1)"
    f" ON CONFLICT (id) DO UPDATE SET number = {SITE_REVISION}.number + 1"
)
RAISE_PEOPLE = (
    f"INSERT INTO {SITE_REVISION} (id, number, people) VALUES (1, 1, 1)"
    f" ON CONFLICT (id) DO UPDATE SET people = {SITE_REVISION}.people + 1"
)
NAMED = ", named = number + 1"
# Locks the row of the site until the commit, so that the numbers are in the order of the commits.
SET_LISTED = f"UPDATE {REVISION} SET listed = (SELECT number FROM {SITE_REVISION})"
ADD_REVISION = (
    f"INSERT INTO {REVISION} (event_id, number, changed_at, public_at) {{values}}"
    f" ON CONFLICT (event_id) DO UPDATE SET number = {REVISION}.number + 1,"
    f" named = {REVISION}.number + 1, changed_at = excluded.changed_at,"
    f" public_at = COALESCE({REVISION}.public_at, excluded.public_at)"
)

# Keys of the search index (`tournaments.search.texts`).
EVENT_KEY = f"{{id}} * {KINDS} + {SearchKind.EVENT.value}"
NAMES_KEY = f"{{id}} * {KINDS} + {SearchKind.NAMES.value}"
HUNDRED_KEY = f"{{id}} / {IN_AN_ENTRY} * {KINDS} + {{kind}}"
_FIRST = f"{{id}} / {IN_AN_ENTRY} * {IN_AN_ENTRY}"
FROM_SAME_HUNDRED = f"{_FIRST} AND {_FIRST} + {IN_AN_ENTRY - 1}"


REFUSALS: dict[str, dict[str, str]] = {
    "tournaments_pairing": {
        # A unique constraint covers each side; this covers a competitor who is first and second.
        "a competitor is paired twice in this round": """
            EXISTS (SELECT 1 FROM tournaments_pairing p WHERE p.round_id = NEW.round_id AND p.id <> NEW.id
            AND (p.first_id = NEW.second_id OR p.second_id = NEW.first_id))""",
        "a competitor of another event is paired": """
            EXISTS (SELECT 1 FROM tournaments_competitor c JOIN tournaments_round r ON r.id = NEW.round_id
            WHERE c.id IN (NEW.first_id, NEW.second_id) AND c.event_id <> r.event_id)""",
    },
    "tournaments_game": {
        "a player of another team sits at this board": """
            EXISTS (SELECT 1 FROM tournaments_pairing p JOIN tournaments_player m
            ON (m.id = NEW.first_player_id AND m.competitor_id <> p.first_id)
            OR (m.id = NEW.second_player_id AND m.competitor_id <> COALESCE(p.second_id, 0))
            WHERE p.id = NEW.pairing_id)""",
    },
    "tournaments_competitor": {
        "a competitor with pairings stays in its event": """
            EXISTS (SELECT 1 FROM tournaments_pairing p JOIN tournaments_round r ON r.id = p.round_id
            WHERE (p.first_id = NEW.id OR p.second_id = NEW.id) AND r.event_id <> NEW.event_id)""",
        "a competitor with overrides stays in its event": """
            EXISTS (SELECT 1 FROM tournaments_override o
            WHERE o.competitor_id = NEW.id AND o.event_id <> NEW.event_id)""",
    },
    "tournaments_round": {
        "a round with pairings stays in its event": """
            EXISTS (SELECT 1 FROM tournaments_pairing p JOIN tournaments_competitor c ON c.id = p.first_id
            WHERE p.round_id = NEW.id AND c.event_id <> NEW.event_id)""",
    },
    "tournaments_override": {
        "a competitor of another event is overridden": """
            EXISTS (SELECT 1 FROM tournaments_competitor c
            WHERE c.id = NEW.competitor_id AND c.event_id <> NEW.event_id)""",
    },
}
"""Rows that the database refuses without a constraint: the message and a condition on NEW, by table."""
