"""The results of team players on their boards, for all events in two queries."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

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
from tournaments.event.choices import PairingSide
from tournaments.event.resultcodes import result_text
from tournaments.models import Event
from tournaments.models.pairing import all_public_games
from tournaments.models.rows import load_records

OWN = 0
"""The key of the player of the career while scores are counted."""

TURNED = {PairingSide.FIRST.value: "second", PairingSide.SECOND.value: "first", "": ""}


class BoardOfPlayer(NamedTuple):
    """A recorded board with both players and teams. Scores are half-points."""

    event: int
    round: int
    table: int
    board: int
    white: str
    kind: str
    first_score: int | None
    second_score: int | None
    advantage: str
    first_player: int | None
    second_player: int | None
    first_name: str | None
    second_name: str | None
    first_rating: int | None
    second_rating: int | None
    first_team: int
    second_team: int
    first_code: str
    second_code: str
    first_flag: str
    second_flag: str


class CountryOfTeam(NamedTuple):
    """The arguments of `country_of` for a team."""

    code: str
    flag: str


def _boards_of_players(players: Collection[int]) -> list[BoardOfPlayer]:
    sides = Q(first_player__in=players) | Q(second_player__in=players)
    games = all_public_games().filter(sides, kind__in=(PLAYED, FORFEIT, UNKNOWN))
    in_order = games.order_by("pairing__round__event_id", "pairing__round__number", "board")
    return load_records(
        BoardOfPlayer,
        in_order,
        event="pairing__round__event_id",
        round="pairing__round__number",
        table="pairing__table",
        first_player="first_player_id",
        second_player="second_player_id",
        first_name="first_player__name",
        second_name="second_player__name",
        first_rating="first_player__rating",
        second_rating="second_player__rating",
        first_team="pairing__first__number",
        second_team="pairing__second__number",
        first_code="pairing__first__code",
        second_code="pairing__second__code",
        first_flag="pairing__first__flag",
        second_flag="pairing__second__flag",
    )


def participations_on_boards(
    players: Collection[int], events: Mapping[int, Event], outcomes: Mapping[int, Outcome]
) -> list[Participation]:
    """Return the results of each of these players, in the order of their keys.

    Players of other events are left out. Two queries, none without players.
    """
    if not players:
        return []
    boards: dict[int, list[BoardOfPlayer]] = defaultdict(list)
    for board in _boards_of_players(players):
        for player in {board.first_player, board.second_player} & set(players):
            if player is not None:
                boards[player].append(board)
    found = sorted(TEAM_PLAYERS.where(pk__in=list(players)))
    return [
        _participation(events[each.event], each, boards[each.pk], outcomes[each.event])
        for each in found
        if each.event in events and each.event in outcomes
    ]


def _participation(
    event: Event, player: TeamPlayer, boards: Sequence[BoardOfPlayer], outcome: Outcome
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


def _game_of(player: int, board: BoardOfPlayer, event: Event) -> CareerGame:
    is_first = board.first_player == player
    scores_of = (board.first_score or 0, board.second_score or 0)
    own, theirs = scores_of if is_first else scores_of[::-1]
    better = board.advantage if is_first else TURNED[board.advantage]
    has_white = (board.white == "first") == is_first
    side = "second" if is_first else "first"
    name, code, flag, rating, number, entry = (
        getattr(board, f"{side}_{field}") for field in ("name", "code", "flag", "rating", "team", "player")
    )
    country = country_of(event, CountryOfTeam(code, flag))
    return CareerGame(
        round=board.round,
        table=board.table,
        board=board.board,
        kind=board.kind,
        colour=(1 if has_white else -1) if board.white else 0,
        own=own,
        theirs=theirs,
        ended=ended_as(own, theirs),
        result=result_text(board.kind, own, theirs, better),
        opponent=CareerOpponent(name or "", country, rating or 0, number, entry or 0),
    )
