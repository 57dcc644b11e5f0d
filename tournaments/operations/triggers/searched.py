"""Keys of the search index as SQL expressions (`tournaments.search.texts`)."""

from tournaments.models import SearchKind
from tournaments.search.texts import IN_AN_ENTRY, KINDS

EVENT_KEY = f"{{id}} * {KINDS} + {SearchKind.EVENT.value}"
NAMES_KEY = f"{{id}} * {KINDS} + {SearchKind.NAMES.value}"
HUNDRED_KEY = f"{{id}} / {IN_AN_ENTRY} * {KINDS} + {{kind}}"
_FIRST = f"{{id}} / {IN_AN_ENTRY} * {IN_AN_ENTRY}"
FROM_SAME_HUNDRED = f"{_FIRST} AND {_FIRST} + {IN_AN_ENTRY - 1}"
