"""Earlier rounds of competitors, for the pairing of a stored event."""

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
    """Return the history of each competitor before a round, by number.

    Draft rounds are ignored. Two queries, one if `members` are given; one more for teams.
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
    win = event.match_win if event.is_team else event.game_win
    return virtual_points(number, before, event.planned_rounds, win, event.accelerated_to)
