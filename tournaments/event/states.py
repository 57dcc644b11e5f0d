"""The states of events and rounds, and what follows from them: who sees it, what is over, what is settled.

Rows and documents ask here alike; `Event.is_public` and `Event.is_over` say the same of a row.
"""

from collections.abc import Iterable
from typing import Protocol

DRAFT, REMOVED = "draft", "removed"

PUBLIC = ("live", "final", "archived")
"""The states of an event that readers see: not of a draft, and not of one that was removed."""

OVER = ("final", "archived")
"""The states of an event that has come to its end."""

DECIDED = ("played", "forfeit")
"""The kinds of a pairing whose result is known."""


class HasState(Protocol):
    """An event or a round, as a row or in a document."""

    @property
    def state(self) -> str: ...


class HasSchedule(Protocol):
    """An event, as a row or in a document."""

    @property
    def is_round_robin(self) -> bool: ...


def is_settled(event: HasState, round_: HasState) -> bool:
    """Say whether readers take the whole round for settled: it is closed, or its event is over (ADR 0022)."""
    return round_.state == "closed" or event.state in OVER


def is_built_upon(event: HasSchedule, later_kinds: Iterable[str]) -> bool:
    """Say whether later rounds rest on a round; `later_kinds` are those of their pairings of two.

    The pairings of a Swiss follow from the results before them, so any is enough. Those of a round robin are
    known from the start: there it takes a result.
    """
    return any(not event.is_round_robin or kind in DECIDED for kind in later_kinds)
