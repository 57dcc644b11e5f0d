"""Missing data of rounds: unknown results, boards without names, and rounds without a date."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby

from django.db.models import Count, Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.choices import Delay, Kind
from tournaments.models import Event, Game, Pairing, Round

Place = tuple[int, int]
"""Round number and table."""


IS_UNKNOWN = Q(kind=Kind.UNKNOWN) | Exists(Game.objects.filter(pairing=OuterRef("pk"), kind=Kind.UNKNOWN))
"""Pairings with an unknown result, or with an unknown result on a board."""


def unnamed_texts(rounds: Sequence[Round]) -> list[str]:
    """Return sentences about the number of boards without names and with only one name.

    Boards and matches decided by forfeit may lack names. A single query, none in an event of players.
    """
    if not rounds or not (boards := rounds[0].event.is_team and rounds[0].event.boards):
        return []
    is_forfeit = Q(games__kind=Kind.FORFEIT)
    first, second = Q(games__first_player__isnull=False), Q(games__second_player__isnull=False)
    matches = Pairing.objects.filter(round__in=rounds, second__isnull=False).exclude(kind=Kind.FORFEIT)
    counted = matches.annotate(
        complete=Count("games", filter=is_forfeit | first & second),
        begun=Count("games", filter=is_forfeit | first | second),
    )
    rows = list(counted.values_list("round__number", "table", "complete", "begun"))
    unnamed = {(number, table): boards - begun for number, table, _full, begun in rows if begun < boards}
    half_named = {(number, table): begun - full for number, table, full, begun in rows if full < begun}
    texts = []
    if count := sum(unnamed.values()):
        text = ngettext(
            "%(boards)s board has no names of players in %(where)s.",
            "%(boards)s boards have no names of players in %(where)s.",
            count,
        )
        texts.append(text % {"boards": count, "where": places_text(unnamed)})
    if count := sum(half_named.values()):
        text = ngettext(
            "%(boards)s board has only one player in %(where)s.",
            "%(boards)s boards have only one player in %(where)s.",
            count,
        )
        texts.append(text % {"boards": count, "where": places_text(half_named)})
    return texts


def delayed_text(pairing: Pairing) -> str:
    values = {
        "round": pairing.round.number,
        "table": pairing.table,
        "mark": Delay(pairing.delayed).label,
        "first": pairing.first.name,
        "second": pairing.second and pairing.second.name,
    }
    return _("Round %(round)s, table %(table)s is %(mark)s: %(first)s – %(second)s") % values


def unknown_texts(places: Collection[Place]) -> list[str]:
    if not places:
        return []
    return [_("The result is unknown (?) in %(where)s.") % {"where": places_text(places)}]


def undated_texts(rounds: Iterable[Round]) -> list[str]:
    """Return a sentence about rounds without a date, or an empty list."""
    undated = [str(each.number) for each in rounds if not each.date]
    if not undated:
        return []
    text = ngettext("Round %(rounds)s has no date.", "Rounds %(rounds)s have no date.", len(undated))
    return [text % {"rounds": ", ".join(undated)}]


def places_text(places: Iterable[Place]) -> str:
    """Return tables by round: `round 1 at table 2, 4–9; round 2 at table 1`."""
    tables: dict[int, list[int]] = {}
    for number, table in sorted(places):
        tables.setdefault(number, []).append(table)
    return "; ".join(
        _("round %(round)s at table %(tables)s")
        % {"round": number, "tables": ", ".join(_runs_of_numbers(found))}
        for number, found in tables.items()
    )


def _runs_of_numbers(numbers: Sequence[int]) -> Iterator[str]:
    for _step, members in groupby(enumerate(numbers), key=lambda each: each[1] - each[0]):
        run = [number for _at, number in members]
        if len(run) > 2:
            yield f"{run[0]}–{run[-1]}"
        else:
            yield from map(str, run)


def before_final(event: Event) -> list[str]:
    """Return sentences about all missing data of an event before it is final. At most three queries."""
    rounds = list(event.rounds.select_related("event").order_by("number"))
    unknown = Pairing.objects.filter(IS_UNKNOWN, round__event=event).values_list("round__number", "table")
    return [*unknown_texts(list(unknown)), *unnamed_texts(rounds), *undated_texts(rounds)]
