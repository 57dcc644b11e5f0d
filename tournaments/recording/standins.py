"""Stand-ins at the boards of team matches, for a report that says who played whom.

A report knows a match by the games of its players. Where a match was recorded without them, by its boards or
by its score alone, an engine would take the two teams for not having met.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tournaments.event.choices import SCORELESS, Kind, PairingSide
from tournaments.event.document import Document, GameEntry, PairingEntry, PlayerEntry


def with_stand_ins(document: Document) -> Document:
    """Return the document with somebody at every board, where nobody is named at one of those played.

    Then all teams have stand-ins, and only they: scores of boards, their sums and colours are those recorded.
    An event of players, and one in which everybody is named, is returned as it is.
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
            replace(each, pairings=tuple(_seated(match, teams, document) for match in each.pairings))
            for each in document.rounds
        ),
    )


def _is_named(match: PairingEntry) -> bool:
    """Say whether the games of a match tell who meets whom; one that nobody came to needs no names."""
    met = [game for game in match.games if game.kind != Kind.FORFEIT]
    named = all(game.first_player and game.second_player for game in met)
    return named and any(game.first_player or game.second_player for game in match.games)


def _seated(
    match: PairingEntry, teams: Mapping[int, Sequence[PlayerEntry]], document: Document
) -> PairingEntry:
    if match.second is None:
        return match
    first, second = teams[match.first], teams[match.second]
    games = match.games or tuple(_games_of(match, document))
    return replace(
        match,
        games=tuple(
            replace(game, first_player=first[game.board - 1], second_player=second[game.board - 1])
            for game in games
        ),
    )


def _games_of(match: PairingEntry, document: Document) -> Iterator[GameEntry]:
    """Yield games whose sum is the score of a match that has no boards, if it has one."""
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
