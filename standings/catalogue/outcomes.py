"""How far events have come and who leads or won them, for lists of many events: no query for each.

An outcome is made of the standings, and kept under the revision of its event; those of the events that lists
show most are also kept in the memory of each process (ADR 0038).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db import connection
from django.utils.translation import gettext as _

from standings.basis import Basis, basis_of, rests_on, with_running
from standings.entries import country_of
from standings.services import Ranked, default_round, kept_of_all
from tournaments.models import Event, Revision
from tournaments.revision import with_versions

MOST_FIRST = 3
"""So many who share the first place are named."""

MOST_KEPT = 200
"""Outcomes in the memory of a process: a few pages of a list, at most a few megabytes."""


class FirstPlace(NamedTuple):
    """A competitor at the first place: number, name and the code of its country, for the flag."""

    number: int
    name: str
    flag: str


class Outcome(NamedTuple):
    """The first of an event, how many share that place, and place and country of each competitor by number.

    `first` is empty before anything is played; a place is `3`, `3*` where it was set by hand, or blank.
    """

    first: tuple[FirstPlace, ...]
    sharing: int
    places: Mapping[int, tuple[str, str]]
    basis: Basis


_KEPT: dict[int, tuple[str, int, Outcome]] = {}
"""By event: epoch and revision, and the outcome then."""


def outcomes_of(epoch: str, keys: Sequence[int]) -> dict[int, Outcome]:
    """Return the outcomes of these events by key; one query, and another where some of them changed.

    Standings that are not kept are computed, for five queries together.
    """
    now = dict(Revision.objects.filter(event__in=keys).order_by().values_list("event_id", "number"))
    found = {pk: kept[2] for pk in now if (kept := _KEPT.get(pk)) and kept[:2] == (epoch, now[pk])}
    missing = [pk for pk in now if pk not in found]
    if missing:
        events = list(with_versions(Event.objects.select_related("series").filter(pk__in=missing)))
        made = kept_of_all("outcome", events, _outcome)
        found |= made
        if not connection.in_atomic_block:  # what may be rolled back must not stay in memory
            _KEPT.update({each.pk: (each.epoch, each.data_version or 0, made[each.pk]) for each in events})
    if len(_KEPT) > MOST_KEPT:
        _KEPT.clear()
    return found


def progress_text(basis: Basis) -> str:
    """Return `round 5: 12 of 34 in`, or what else the standings of a live event rest on."""
    if basis.round and basis.pending and not basis.earlier:
        figures = {"number": basis.round, "known": basis.paired - basis.pending, "all": basis.paired}
        return with_running(_("round %(number)s: %(known)s of %(all)s in") % figures, basis)
    return rests_on(basis)


def forget() -> None:
    """Start from nothing, as a new process does: for whoever replaces the database under a running one."""
    _KEPT.clear()


def _outcome(event: Event, found: Ranked) -> Outcome:
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
