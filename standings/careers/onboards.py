"""The results of team players on their boards, for all events in two queries."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Q

from standings.careers.ofcompetitors import ranked_in
from standings.careers.participation import CareerGame, CareerOpponent, Participation
from standings.catalogue.outcomes import Outcome
from standings.engine import outcome_sign as ended_as
from standings.flags import country_of
from standings.statistics.counting import FORFEIT, PLAYED, UNKNOWN
from standings.statistics.games import TEAM_PLAYERS, TeamPlayer
from standings.statistics.ratingcolumns import player_rating
from standings.statistics.ratings import rules_in_force
from standings.statistics.scores import CountedGame, scores
from tournaments.event.resultcodes import result_text
from tournaments.models import Event
from tournaments.models.pairing import all_public_games

OWN = 0
"""The key of the player of the career while scores are counted."""

SIDES = ("first", "second")
COLUMNS = (
    *("pairing__round__event", "pairing__round__number", "pairing__table"),
    *("board", "white", "kind", "advantage"),
    *(f"{side}_{name}" for side in SIDES for name in ("score", "player", "player__name", "player__rating")),
    *(f"pairing__{side}__{name}" for side in SIDES for name in ("number", "code", "flag")),
)
"""The columns of a board with both players and teams. Scores are half-points."""


class CountryOfTeam(NamedTuple):
    """The arguments of `country_of` for a team."""

    code: str
    flag: str


def participations_on_boards(
    players: Collection[int], events: Mapping[int, Event], outcomes: Mapping[int, Outcome]
) -> list[Participation]:
    """Return the results of each of these players, in the order of their keys.

    Players of other events are left out. Two queries, none without players.
    """
    if not players:
        return []
    boards: dict[int, list[dict[str, Any]]] = defaultdict(list)
    sides = Q(first_player__in=players) | Q(second_player__in=players)
    games = all_public_games().filter(sides, kind__in=(PLAYED, FORFEIT, UNKNOWN))
    in_order = games.order_by("pairing__round__event_id", "pairing__round__number", "board")
    for board in in_order.values(*COLUMNS):
        for player in {board["first_player"], board["second_player"]} & set(players):
            boards[player].append(board)
    found = sorted(chain.from_iterable(TEAM_PLAYERS.grouped("pk", players).values()))
    return [
        _participation(events[each.event], each, boards[each.pk], outcomes[each.event])
        for each in found
        if each.event in events and each.event in outcomes
    ]


def _participation(
    event: Event, player: TeamPlayer, boards: Sequence[dict[str, Any]], outcome: Outcome
) -> Participation:
    games = tuple(_game_of(player.pk, board, event) for board in boards if event.knows_results)
    counted = (
        CountedGame(
            each.board, OWN, each.opponent.entry or None, each.kind, each.own, each.theirs, 0, each.round
        )
        for each in games
    )
    ratings = {each.opponent.entry: each.opponent.rating for each in games if each.opponent.entry}
    score = scores(counted, ratings).get(OWN)
    in_force = rules_in_force(event)
    return Participation(
        event=event,
        number=player.team,
        name=player.name,
        place=outcome.places.get(player.team, ("", ""))[0],
        ranked=ranked_in(outcome),
        points=sum(each.own for each in games) if event.knows_results else None,
        all_games=games,
        team=player.team_name,
        code=country_of(event, player),
        title=player.title,
        rating=player.rating or 0,
        board=score.own_board(player.board) if score else player.board or 0,
        entry=player.pk,
        rated=player_rating(player.rating, score, in_force, player.birth_year),
    )


def _game_of(player: int, board: dict[str, Any], event: Event) -> CareerGame:
    own, other = SIDES if board["first_player"] == player else SIDES[::-1]
    points, theirs = (board[f"{side}_score"] or 0 for side in (own, other))
    better = board["advantage"] and SIDES[board["advantage"] != own]
    country = CountryOfTeam(board[f"pairing__{other}__code"], board[f"pairing__{other}__flag"])
    return CareerGame(
        round=board["pairing__round__number"],
        table=board["pairing__table"],
        board=board["board"],
        kind=board["kind"],
        colour=(1 if board["white"] == own else -1) if board["white"] else 0,
        own=points,
        theirs=theirs,
        ended=ended_as(points, theirs),
        result=result_text(board["kind"], points, theirs, better),
        opponent=CareerOpponent(
            board[f"{other}_player__name"] or "",
            country_of(event, country),
            board[f"{other}_player__rating"] or 0,
            board[f"pairing__{other}__number"],
            board[f"{other}_player"] or 0,
        ),
    )
