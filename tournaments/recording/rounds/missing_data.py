"""Missing data of rounds: unknown results, boards without players, and rounds without a date."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.choices import Delay, Kind, PairingSide
from tournaments.models import Event, Game, Pairing, Round
from tournaments.models.pairing import decided_by_withdrawal

Place = tuple[int, int]
"""Round number and table."""


IS_UNKNOWN = Q(kind=Kind.UNKNOWN) | Exists(Game.objects.filter(pairing=OuterRef("pk"), kind=Kind.UNKNOWN))
"""Pairings with an unknown result, or with an unknown result on a board."""


class EmptyBoards(NamedTuple):
    """The boards of a match at which a team has no player."""

    round: int
    table: int
    team: str
    boards: Sequence[int]

    def __str__(self) -> str:
        values = self._asdict() | {"boards": ", ".join(_runs_of_numbers(self.boards))}
        return _("round %(round)s, match %(table)s, %(team)s, board %(boards)s") % values


def empty_boards(rounds: Sequence[Round]) -> list[EmptyBoards]:
    """Return the boards without players by round, table and team. Two queries, none in an event of players.

    Boards and matches decided by forfeit or by a withdrawal need no players.
    """
    if not rounds or not (boards := rounds[0].event.is_team and rounds[0].event.boards):
        return []
    matches = Pairing.objects.filter(round__in=rounds, second__isnull=False).exclude(kind=Kind.FORFEIT)
    found = []
    ordered = matches.filter(delayed="").exclude(decided_by_withdrawal()).order_by("round__number", "table")
    for match in ordered.select_related("round", "first", "second").prefetch_related("games"):
        for side in PairingSide.values:
            is_seated = {
                game.board: game.kind == Kind.FORFEIT or getattr(game, f"{side}_player_id")
                for game in match.games.all()
            }
            if empty := [board for board in range(1, boards + 1) if not is_seated.get(board)]:
                found.append(EmptyBoards(match.round.number, match.table, getattr(match, side).name, empty))
    return found


def unnamed_texts(rounds: Sequence[Round]) -> list[str]:
    """Return a sentence about the matches that have boards without players, or an empty list."""
    places = {(each.round, each.table) for each in empty_boards(rounds)}
    return [_("Boards have no players in %(where)s.") % {"where": places_text(places)}] if places else []


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
    texts = [*unknown_texts(list(unknown)), *unnamed_texts(rounds)]
    if undated := [str(each.number) for each in rounds if not each.date]:
        text = ngettext("Round %(rounds)s has no date.", "Rounds %(rounds)s have no date.", len(undated))
        texts.append(text % {"rounds": ", ".join(undated)})
    return texts
