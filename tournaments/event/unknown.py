"""Facts that an event does not know, and what follows from them for its pairings.

An event without results knows neither colours nor rounds.
"""

from collections.abc import Collection
from typing import Protocol

from tournaments.event.choices import PairingSide, UnknownFact

NO_COLOURS = frozenset({UnknownFact.COLOURS, UnknownFact.RESULTS})
NO_ROUND_ORDER = frozenset({UnknownFact.ROUND_ORDER, UnknownFact.RESULTS})


class EventFacts(Protocol):
    """An event with its list of unknown facts; a model and a document's event have it."""

    @property
    def unknown(self) -> Collection[str]: ...


class SeatedPairing(Protocol):
    """A pairing whose sides may give its colours; a model and a document's pairing do."""

    @property
    def colours(self) -> str: ...


def white_side(event: EventFacts, pairing: SeatedPairing) -> str:
    """Return the side that has White in a pairing of players: `first`, or a blank if it is unknown."""
    return "" if pairing.colours or not knows_colours(event) else PairingSide.FIRST.value


def knows_colours(event: EventFacts) -> bool:
    """Return whether the event knows who had White, at least in some pairings."""
    return NO_COLOURS.isdisjoint(event.unknown)


def knows_round_order(event: EventFacts) -> bool:
    """Return whether the rounds of the event were played in the order of their numbers."""
    return NO_ROUND_ORDER.isdisjoint(event.unknown)


def knows_results(event: EventFacts) -> bool:
    """Return whether results are recorded; else only the published ranking is known."""
    return UnknownFact.RESULTS not in event.unknown
