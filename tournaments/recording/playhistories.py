"""The past of the competitors of a recorded event, as pairing looks at it."""

from collections.abc import Iterable
from dataclasses import replace

from tournaments.crosstable import crosstable_of
from tournaments.event.arrays import Entry
from tournaments.event.pairingsettings import virtual_points
from tournaments.models import Competitor, Event
from tournaments.pairing.history import PlayHistory, play_histories


def histories(
    event: Event, before: int, members: Iterable[Competitor] | None = None
) -> dict[int, PlayHistory]:
    """Return what everybody has played before a round, by start number.

    Rounds that are drafts count as if they were not there. Two queries, one with the `members` given;
    another for teams.
    """
    entries = [
        Entry(
            each.pk,
            each.number,
            each.name,
            withdrawn_after=each.withdrawn_after,
            adjustments=each.adjustments,
        )
        for each in (event.competitors.all() if members is None else members)
    ]
    found = play_histories(crosstable_of(event, entries), before)
    if not event.acceleration:
        return found
    return {number: replace(each, virtual=_virtual(event, number, before)) for number, each in found.items()}


def _virtual(event: Event, number: int, before: int) -> int:
    """Return the half-points that a competitor has more in a round, for the pairing alone."""
    win = event.match_win if event.is_team else event.game_win
    return virtual_points(number, before, event.planned_rounds, win, event.accelerated_to)
