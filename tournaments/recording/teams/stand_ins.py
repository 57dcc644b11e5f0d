"""Stand-ins for unnamed players in reports of team matches.

A report describes a match by the games of its players. If a match was recorded without players, an engine
would assume that the teams have not met.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tournaments.event.choices import SCORELESS, Kind, PairingSide
from tournaments.event.document import Document, GameEntry, PairingEntry, PlayerEntry


def with_stand_ins(document: Document) -> Document:
    """Return the document with a stand-in at every board, if a played board lacks a name.

    In that case all players are replaced by stand-ins. Scores of boards, their sums and colours stay as
    recorded. An event of players, or with all names, is returned unchanged.
    """
    boards = document.event.boards
    matches = [match for _number, match in document.pairings() if match.second is not None]
    if not boards or all(_is_named(match) for match in matches):
        return document
    boards = max([boards, *(game.board for match in matches for game in match.games)])
    teams = {
        team.number: tuple(
            PlayerEntry(name=f"{team.number}/{board}", board=board) for board in range(1, boards + 1)
        )
        for team in document.competitors
    }
    return replace(
        document,
        competitors=tuple(replace(team, players=teams[team.number]) for team in document.competitors),
        rounds=tuple(
            replace(each, pairings=tuple(_with_stand_ins(match, teams, document) for match in each.pairings))
            for each in document.rounds
        ),
    )


def _is_named(match: PairingEntry) -> bool:
    met = [game for game in match.games if game.kind != Kind.FORFEIT]
    named = all(game.first_player and game.second_player for game in met)
    return named and any(game.first_player or game.second_player for game in match.games)


def _with_stand_ins(
    match: PairingEntry, teams: Mapping[int, Sequence[PlayerEntry]], document: Document
) -> PairingEntry:
    if match.second is None:
        return match
    first, second = teams[match.first], teams[match.second]
    games = match.games or tuple(_games_from_score(match, document))
    return replace(
        match,
        games=tuple(
            replace(game, first_player=first[game.board - 1], second_player=second[game.board - 1])
            for game in games
        ),
    )


def _games_from_score(match: PairingEntry, document: Document) -> Iterator[GameEntry]:
    win = document.event.game_win
    left = {"first": match.first_score or 0, "second": match.second_score or 0}
    for board in range(1, (document.event.boards or 0) + 1):
        first = min(win, left["first"])
        second = min(win - first, left["second"])
        left["first"] -= first
        left["second"] -= second
        white = PairingSide.FIRST if board % 2 else PairingSide.SECOND
        game = GameEntry(board=board, white=white.value, kind=match.kind)
        is_played = match.kind not in SCORELESS
        yield replace(game, first_score=first, second_score=second) if is_played else game
