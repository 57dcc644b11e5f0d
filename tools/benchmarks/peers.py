"""Computes a generated tournament with gacrux, the tie-break engine of FIDE's Technical Commission."""

from fractions import Fraction
from typing import Any

from gacrux.chessjson import chessjson
from gacrux.tiebreak import tiebreak

from tools.benchmarks.generated import Bye, Game, Tournament

RESULTS = {2: ("W", "L"), 1: ("D", "D"), 0: ("L", "W")}
BYES = {"F": "W", "H": "D", "Z": "Z"}
LATEST = -1  # gacrux's option for the last round


def document_of(tournament: Tournament) -> dict[str, Any]:
    """Return the tournament as returned by gacrux's TRF and JSON readers, which corresponds to parsing."""
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
        "gameList": [*map(_game, tournament.games), *map(_bye, tournament.byes)],
        "matchList": [],
    }


def _game(game: Game) -> dict[str, Any]:
    white, black = RESULTS[game.score]
    return {
        "round": game.round,
        "board": game.table,
        "white": {"cid": game.white + 1, "result": white if white != "L" or not game.is_forfeit else "Z"},
        "black": {"cid": game.black + 1, "result": black if black != "L" or not game.is_forfeit else "Z"},
        "played": not game.is_forfeit,
        "rated": not game.is_forfeit,
    }


def _bye(bye: Bye) -> dict[str, Any]:
    side = {"cid": bye.player + 1, "result": BYES[bye.letter]}
    alone = {"round": bye.round, "board": 0, "played": False, "rated": False}
    return {**alone, "white": side, "black": {"cid": 0}}


def judge(document: dict[str, Any], criteria: tuple[str, ...]) -> dict[str, Any]:
    """Return the tie-breaks in this order, as gacrux's command line does without details."""
    params = {"tiebreak": list(criteria), "check": False, "swiss": True}
    found: dict[str, Any] = tiebreak(document, LATEST, params).compute_tiebreaks(document, params)
    return found


def values_of(found: dict[str, Any]) -> list[tuple[Fraction | None, ...]]:
    """Return exact values by player in order of start numbers, and by criterion; None for no value."""
    competitors = sorted(found["competitors"], key=lambda competitor: int(competitor["cid"]))
    return [
        tuple(None if value is None else Fraction(value) for value in competitor["tiebreakScore"])
        for competitor in competitors
    ]
