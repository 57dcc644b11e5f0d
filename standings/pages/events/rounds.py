"""List of an event's rounds: date, progress and leaders."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString

from standings.basis import last_complete_round
from standings.caching.cached_pages import event_page, require_results
from standings.engine import fraction_text
from standings.flags import flag_html
from standings.pages.events.pairing_rows import rows_of_all_rounds
from standings.pages.frame import event_response
from standings.services import places_after_each_round, ranked
from standings.texts import RoundProgress, day_and_time_text, rounds_of, zone_text
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Event
from tournaments.models.pairing import dated_rounds

NAMED = 3
"""Leaders that are named; if there are more, only their number is shown."""


@dataclass(frozen=True)
class RoundSummary:
    """A round in the list.

    `leaders`: the competitors in first place after it, with flags. `score`: points of each of the `leading`
    competitors. `running`: number of matches in progress.
    """

    progress: RoundProgress
    leaders: list[tuple[CompetitorInfo, SafeString]]
    leading: int
    score: str
    running: int = 0

    @property
    def is_current(self) -> bool:
        begun = self.progress.awaited < self.progress.pairings or self.running > 0
        return self.progress.open and self.progress.awaited > 0 and begun


def round_summaries(event: Event) -> Iterator[RoundSummary]:
    """Yield the paired rounds in order; one query, and those of the standings."""
    entries, standings = ranked(event)
    places = places_after_each_round(event)
    totals = standings.table.points().cumsum(axis=1)
    complete = last_complete_round(standings.table)
    running = (np.count_nonzero(standings.table.in_progress[1], axis=0) // 2).tolist()
    for progress in rounds_of(event):
        first: list[int] = []
        # There is no leader after an incomplete round.
        if progress.number <= complete and not progress.awaited:
            after = places[progress.number - 1]
            first = [row for row, place in enumerate(after) if place == 1]
        yield RoundSummary(
            progress,
            [(entries[row], flag_html(event, entries[row])) for row in first] if len(first) <= NAMED else [],
            len(first),
            fraction_text(int(totals[first[0], progress.number - 1]), 2) if first else "",
            running=running[progress.number - 1] if progress.number <= len(running) else 0,
        )


@event_page
def rounds(request: HttpRequest, event: Event) -> HttpResponse:
    require_results(event)
    if not event.knows_round_order:
        addresses = reverse("rounds", args=[event.slug]), reverse("competitors", args=[event.slug])
        rows = (line.row(*addresses, has_boards=False, has_table=False) for line in rows_of_all_rounds(event))
        return event_response(
            request, event, "games", {"rows": SafeString("\n".join(rows)), "page": "rounds"}
        )
    summaries = list(round_summaries(event))
    dated: list[Any] = list(dated_rounds(event).order_by("number"))
    coming = [each for each in dated if not each.is_paired]
    has_times = any([*(each.progress.has_time for each in summaries), *(each.time for each in coming)])
    context = {
        "rounds": summaries,
        "coming": [(each.number, day_and_time_text(each)) for each in coming],
        "dated": bool(coming) or any(summary.progress.date for summary in summaries),
        "zone": zone_text(event) if has_times else "",
        "to_come": event.planned_rounds - len(summaries) - len(coming),
    }
    return event_response(request, event, "rounds", context)
