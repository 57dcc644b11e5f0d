"""Gaps in what is recorded of rounds: results that nobody knows, and boards without names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.choices import Kind
from tournaments.models import Event, Game, Pairing, Round

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
    """Return tables by round, in words: `round 1 at table 2, 4–9; round 2 at table 1`."""
    tables: dict[int, list[int]] = {}
    for number, table in sorted(places):
        tables.setdefault(number, []).append(table)
    return "; ".join(
        _("round %(round)s at table %(tables)s") % {"round": number, "tables": ", ".join(_runs(found))}
        for number, found in tables.items()
    )


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    """Yield ascending numbers as text, three or more in a row as `4–9`."""
    for _step, members in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        run = [number for _at, number in members]
        if len(run) > 2:
            yield f"{run[0]}–{run[-1]}"
        else:
            yield from map(str, run)


def before_final(event: Event) -> list[str]:
    """Return what is not recorded when an event comes to its end, in sentences; three queries at most."""
    rounds = list(event.rounds.select_related("event").order_by("number"))
    unknown_board = Game.objects.filter(pairing=OuterRef("pk"), kind=Kind.UNKNOWN)
    rows = Pairing.objects.filter(Q(kind=Kind.UNKNOWN) | Exists(unknown_board), round__event=event)
    unknown = list(rows.values_list("round__number", "table"))
    unnamed = unnamed_boards(rounds) if rounds else {}
    undated = [str(each.number) for each in rounds if not each.date]
    return [
        *([unknown_text(unknown)] if unknown else ()),
        *([unnamed_text(unnamed)] if unnamed else ()),
        *([undated_text(undated)] if undated else ()),
    ]


def undated_text(rounds: Sequence[str]) -> str:
    """Return that rounds have no date, in a sentence."""
    text = ngettext("Round %(rounds)s has no date.", "Rounds %(rounds)s have no date.", len(rounds))
    return text % {"rounds": ", ".join(rounds)}
