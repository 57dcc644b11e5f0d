"""Checks of a result: a possible score, and games that add up to their match."""

from collections.abc import Iterator

from tournaments.event.checks.references import repeated
from tournaments.event.choices import SCORELESS
from tournaments.event.document import EventEntry, GameEntry, PairingEntry
from tournaments.event.finding import Finding, Place, error, warning
from tournaments.event.moves import fault_of_movetext, parted
from tournaments.event.numbers import points_text, score_text
from tournaments.event.scores import game_fault, pairing_fault


def pairing_result(event: EventEntry, pairing: PairingEntry, place: Place) -> Iterator[Finding]:
    if fault := pairing_fault(event, pairing, pairing.note):
        yield _impossible(pairing, fault, place)
    yield from _check_advantage(pairing, place)
    sides = pairing.first_match_points, pairing.second_match_points
    points = [each for each in sides if each is not None]
    if points and not event.is_team:
        yield error(
            "teams-only", place.key("match_points"), "Only a team event has match points. Take them out."
        )
    elif any(each > event.match_win for each in points):
        text = f"{score_text(*sides)} match points, but a match gives at most {points_text(event.match_win)}."
        yield error("impossible-match-points", place.key("match_points"), f"{text} Correct them.")
    if pairing.games_played is not None and event.is_team:
        text = (
            "In a team event the number of games belongs to a game, not to the match. Move the key to the "
            "game."
        )
        yield error("players-only", place.key("games_played"), text)
    if pairing.moves and event.is_team:
        text = "In a team event each game has its moves, not the match. Move the key to the game."
        yield error("players-only", place.key("moves"), text)
    yield from _moves(pairing.moves, place)


def _moves(moves: str, place: Place) -> Iterator[Finding]:
    if moves and (fault := fault_of_movetext(parted(moves)[1])):
        yield warning("moves-not-legal", place.key("moves"), f"{fault} Until then no file has these moves.")


def game_results(event: EventEntry, pairing: PairingEntry, place: Place) -> Iterator[Finding]:
    if not pairing.games:
        return
    if not event.is_team or pairing.second is None:
        text = "Only a match of two teams has games. Take them out."
        yield error("teams-only", place.key("games"), text)
        return
    for index in repeated(each.board for each in pairing.games):
        text = f"Board {pairing.games[index].board} is in this match already. Give each game its own."
        yield error("board-twice", place.item("games", index).key("board"), text)
    for index, game in enumerate(pairing.games):
        at = place.item("games", index)
        if event.boards and game.board > event.boards:
            text = (
                f"Board {game.board}, but the matches have {event.boards} boards. Correct one of the two "
                "numbers."
            )
            yield error("board-beyond-last", at.key("board"), text)
        if fault := game_fault(event, game, pairing.note):
            yield _impossible(game, fault, at)
        yield from _check_advantage(game, at)
        yield from _moves(game.moves, at)
    # Without a score, or with an unknown game, there is no sum to compare.
    if pairing.kind in SCORELESS or any(game.kind in SCORELESS for game in pairing.games):
        return
    first = sum(game.first_score or 0 for game in pairing.games)
    second = sum(game.second_score or 0 for game in pairing.games)
    if (first, second) != (pairing.first_score, pairing.second_score):
        yield error(
            "games-do-not-add-up",
            place.key("games"),
            f"The games add up to {score_text(first, second)}, the match is "
            f"{score_text(pairing.first_score, pairing.second_score)}. Correct a game or the score.",
        )


def _impossible(result: PairingEntry | GameEntry, fault: str, place: Place) -> Finding:
    score = score_text(result.first_score, result.second_score)
    kind = {"played": "", "forfeit": " by forfeit"}.get(result.kind, f" for a {result.kind}")
    return error(
        "impossible-score", place.key("score"), f"{score}{kind} cannot be: {fault}. Correct the score."
    )


def _check_advantage(result: PairingEntry | GameEntry, place: Place) -> Iterator[Finding]:
    # An advantage marks the better side of a draw; a won game has none.
    if result.advantage and (result.kind != "played" or result.first_score != result.second_score):
        shown = score_text(result.first_score, result.second_score) or result.kind
        text = f"An advantage belongs to a drawn game; this is {shown}. Take it out, or correct the score."
        yield error("advantage-without-draw", place.key("advantage"), text)
