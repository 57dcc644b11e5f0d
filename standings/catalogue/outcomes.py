"""The outcomes of events: progress, and the leader or winner, without a query per event.

An outcome is computed from the standings and cached by the revision of its event. Each process caches the
outcomes that lists show most often (ADR 0038).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import connection
from django.utils.translation import gettext as _

from standings.basis import Basis, basis_of, basis_text, with_running
from standings.flags import country_of
from standings.services import Ranked, cached_for_all, default_round
from tournaments.models import Event, Revision
from tournaments.operations.revision import with_versions

MOST_FIRST = 3
"""The most names shown for a shared first place."""

CACHE_SIZE = 200
"""The outcomes cached in a process: a few pages, a few megabytes."""


class FirstPlace(NamedTuple):
    """A competitor in first place. `country`: the code for its flag."""

    number: int
    name: str
    flag: str


class Outcome(NamedTuple):
    """The first place of an event, and the place and country of each competitor by number.

    `first` is empty before the first result. A place is `3`, `3*` if it was set by hand, or blank.
    """

    first: tuple[FirstPlace, ...]
    sharing: int
    places: Mapping[int, tuple[str, str]]
    basis: Basis


_CACHE: dict[int, tuple[str, int, Outcome]] = {}
"""The outcomes by event, with the epoch and revision for which they are valid."""


def outcomes_of(epoch: str, keys: Sequence[int]) -> dict[int, Outcome]:
    """Return outcomes by event; one query, one more if some changed.

    Standings that are not cached are computed with five queries in total.
    """
    now = dict(Revision.objects.filter(event__in=keys).order_by().values_list("event_id", "number"))
    found = {pk: kept[2] for pk in now if (kept := _CACHE.get(pk)) and kept[:2] == (epoch, now[pk])}
    missing = [pk for pk in now if pk not in found]
    if missing:
        events = list(with_versions(Event.objects.select_related("series").filter(pk__in=missing)))
        made = cached_for_all("outcome", events, _outcome_of_event)
        found |= made
        if not connection.in_atomic_block:  # a rollback must not leave data in memory
            _CACHE.update({each.pk: (each.epoch, each.data_version or 0, made[each.pk]) for each in events})
    if len(_CACHE) > CACHE_SIZE:
        _CACHE.clear()
    return found


def progress_text(basis: Basis) -> str:
    """Return `round 5: 12 of 34 in`, or another description of what the standings include."""
    if basis.round and basis.pending and not basis.earlier:
        figures = {"number": basis.round, "known": basis.paired - basis.pending, "all": basis.paired}
        return with_running(_("round %(number)s: %(known)s of %(all)s in") % figures, basis)
    return basis_text(basis)


def _outcome_of_event(event: Event, found: Ranked) -> Outcome:
    entries, standings = found
    basis = basis_of(standings.table)
    has_begun = basis.published or basis.round > 1 or basis.pending < basis.paired or basis.running > 0
    after = default_round(event, standings)
    shown = standings if after is None else standings.after(after)
    rows = list(shown.rows()) if has_begun else []
    places = {entry.number: ("", country_of(event, entry)) for entry in entries}
    for row in rows:
        entry = entries[row.competitor]
        place = f"{row.place or ''}{shown.place_mark(row.competitor)}"
        places[entry.number] = (place, country_of(event, entry))
    first = [entries[row.competitor] for row in rows if row.place == 1]
    named = tuple(FirstPlace(each.number, each.name, country_of(event, each)) for each in first[:MOST_FIRST])
    return Outcome(named, len(first), places, basis)
