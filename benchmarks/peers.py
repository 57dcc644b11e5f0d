"""The same tournament judged by gacrux, the tie-break engine of FIDE's Technical Commission."""

from fractions import Fraction
from typing import Any

from gacrux.chessjson import chessjson
from gacrux.tiebreak import tiebreak

from benchmarks.generated import Game, Tournament

RESULTS = {2: ("W", "L"), 1: ("D", "D"), 0: ("L", "W")}
LATEST = -1  # "the current round" of its command line: the last one


def document_of(tournament: Tournament) -> dict[str, Any]:
    """The tournament as its readers of TRF and JSON hand it over: what parsing is on its side."""
    return {
        "tournamentType": "Swiss",
        "numRounds": tournament.rounds,
        "currentRound": tournament.rounds,
        "teamTournament": False,
        "scoreSystem": chessjson().default_score,
        "competitors": [
            {"cid": number, "rank": number, "random": number, "rating": {"rating": rating}}
            for number, rating in enumerate(tournament.ratings, start=1)
        ],
        "gameList": [_game(game) for game in tournament.games],
        "matchList": [],
    }


def _game(game: Game) -> dict[str, Any]:
    white, black = RESULTS[game.score]
    return {
        "round": game.round,
        "board": game.table,
        "white": {"cid": game.white + 1, "result": white},
        "black": {"cid": game.black + 1, "result": black},
        "played": True,
        "rated": True,
    }


def judge(document: dict[str, Any], criteria: tuple[str, ...]) -> dict[str, Any]:
    """Its tie-breaks in that order, as its own command line asks for them; details are not asked for."""
    params = {"tiebreak": list(criteria), "check": False, "swiss": True}
    found: dict[str, Any] = tiebreak(document, LATEST, params).compute_tiebreaks(document, params)
    return found


def values_of(found: dict[str, Any]) -> list[tuple[Fraction, ...]]:
    """Of each player, in the order of the start numbers, a value per criterion, exactly."""
    competitors = sorted(found["competitors"], key=lambda competitor: int(competitor["cid"]))
    return [tuple(map(Fraction, competitor["tiebreakScore"])) for competitor in competitors]
