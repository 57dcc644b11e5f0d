"""Gaps in what is recorded of rounds: results that nobody knows, and boards without names."""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.choices import Kind
from tournaments.models import Pairing, Round

Place = tuple[int, int]
"""The number of a round, and a table of it."""


def unnamed_boards(rounds: Sequence[Round]) -> dict[Place, int]:
    """Return how many boards have no player named on one side, by round and table of the match.

    Boards and matches that were decided by forfeit may lack names. One query, none in an event of players.
    """
    event = rounds[0].event
    if not event.is_team or not event.boards:
        return {}
    complete = Q(games__kind=Kind.FORFEIT) | Q(
        games__first_player__isnull=False, games__second_player__isnull=False
    )
    matches = Pairing.objects.filter(round__in=rounds, second__isnull=False).exclude(kind=Kind.FORFEIT)
    counted = matches.annotate(complete=Count("games", filter=complete)).order_by("round__number", "table")
    rows = counted.values_list("round__number", "table", "complete")
    return {(number, table): event.boards - named for number, table, named in rows if named < event.boards}


def unnamed_text(unnamed: Mapping[Place, int]) -> str:
    """Return how many boards have no names, in a sentence."""
    boards = sum(unnamed.values())
    text = ngettext(
        "%(boards)s board has no names of players in %(where)s.",
        "%(boards)s boards have no names of players in %(where)s.",
        boards,
    )
    return text % {"boards": boards, "where": places_text(unnamed)}


def unknown_text(places: Iterable[Place]) -> str:
    """Return where results are unknown, in a sentence."""
    return _("The result is unknown (?) in %(where)s.") % {"where": places_text(places)}


def places_text(places: Iterable[Place]) -> str:
    """Return tables by round, in words: `round 1 at table 2, 3; round 2 at table 1`."""
    tables: dict[int, list[int]] = {}
    for number, table in sorted(places):
        tables.setdefault(number, []).append(table)
    return "; ".join(
        _("round %(round)s at table %(tables)s") % {"round": number, "tables": ", ".join(map(str, found))}
        for number, found in tables.items()
    )
