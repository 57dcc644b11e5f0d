"""The possible scores of an event. Points are half-points; an `event` is a model or a document's event."""

from typing import Protocol

import numpy as np

from standings.engine import Scale
from tournaments.event.arrays import KINDS, EventScoring, scoring_of
from tournaments.event.numbers import ListedResult, points_text, results_of_text, score_text


class Scored(Protocol):
    """The result of a pairing or a game: of a model, of a document, or parsed from a text."""

    @property
    def kind(self) -> str: ...
    @property
    def first_score(self) -> int | None: ...
    @property
    def second_score(self) -> int | None: ...
    @property
    def advantage(self) -> str: ...
    @property
    def games_played(self) -> int | None: ...


def number_of_boards(event: EventScoring) -> int:
    return (event.boards or 1) if event.is_team else 1


def full_score(event: EventScoring) -> int:
    return scoring_of(event).win(Scale.GAME)


def usual_forfeit(event: EventScoring, *, of_match: bool) -> tuple[int, int | None]:
    """Return the half-points of a win by forfeit and of a divided forfeit without a given score.

    The second is None if the full score is odd.
    """
    if not of_match:
        return event.game_win, event.game_draw
    half, rest = divmod(full_score(event), 2)
    return full_score(event), None if rest else half


def following_match_points(event: EventScoring, kind: str, score: int, theirs: int | None) -> int:
    other = np.array(theirs or 0)
    return int(scoring_of(event).match_points(np.array(score), other, np.array(KINDS[kind])))


def own_match_points(
    event: EventScoring,
    kind: str,
    scores: tuple[int | None, int | None],
    given: tuple[int | None, int | None],
) -> tuple[int | None, int | None]:
    """Return the match points of both sides if they do not follow from the scores; else (None, None)."""
    following = tuple(
        None if score is None else following_match_points(event, kind, score, other)
        for score, other in zip(scores, scores[::-1], strict=True)
    )
    first, second = (
        follows if points is None else points for points, follows in zip(given, following, strict=True)
    )
    # If those of one side do not follow, both are stored: they were decided together.
    return (None, None) if (first, second) == following else (first, second)


def listed_results(event: EventScoring) -> tuple[ListedResult, ...]:
    """Return the possible results of a game, best first, if the event lists them; else ()."""
    return results_of_text(event.game_results)


def game_results_of(event: EventScoring) -> list[tuple[int, int]]:
    """Return the half-points of both sides for each result of a game, wins of the first side first."""
    win, draw, loss = event.game_win, event.game_draw, event.game_loss
    found = listed_results(event) or ((win, loss), (draw, draw))
    return sorted({*found, *((second, first) for first, second in found)}, reverse=True)


def listed_text(event: EventScoring) -> str:
    return event.game_results.replace(" ", ", ")


def bye_points(event: EventScoring, kind: str) -> tuple[int, int]:
    """Return the default game points and match points of a round without an opponent."""
    if kind == "half-bye":
        return number_of_boards(event) * event.game_draw, event.match_draw
    if kind != "bye":
        return 0, 0
    # In a round robin the schedule gives each competitor a free round, so it earns no points.
    game, match = (0, 0) if event.is_round_robin else (full_score(event), event.match_win)
    return (
        game if event.bye_game is None else event.bye_game,
        match if event.bye_match is None else event.bye_match,
    )


# --- impossible scores ------------------------------------------------------------------------------------


def game_fault(event: EventScoring, game: Scored, note: str = "") -> str | None:
    """Return why a game cannot have its score; None if it can."""
    first, second = game.first_score, game.second_score
    if first is None or second is None:
        return None
    if game.kind == "forfeit" and not note:
        low, high = sorted((first, second))
        # A referee may give any score up to a win, or the score of a usual result.
        is_usual = low in {0, event.game_loss} and (low == high or event.game_draw <= high <= event.game_win)
        return None if is_usual else _played_game_fault(event, first, second)
    if max(first, second) > event.game_win:
        return f"a game gives at most {points_text(event.game_win)}"
    # A micro-match of several games may be uneven, and so may a referee's decision, which has a note.
    if game.games_played is not None or note:
        return None
    return _played_game_fault(event, first, second)


def pairing_fault(event: EventScoring, pairing: Scored, note: str = "") -> str | None:
    """Return why a pairing (a match, a game, a bye) cannot have its score; None if it can."""
    first, second = pairing.first_score or 0, pairing.second_score
    if second is not None and not event.is_team:
        return game_fault(event, pairing, note)
    full = full_score(event)
    if second is None:
        if pairing.kind in {"zero-bye", "absent"} and first:
            return "it gives nothing"
        return f"it gives at most {points_text(full)}" if first > full else None
    together = number_of_boards(event) * max(map(sum, game_results_of(event)))
    if max(first, second) > full:
        return f"{number_of_boards(event)} boards give each side at most {points_text(full)}"
    if first + second > together:
        return f"{number_of_boards(event)} boards give both sides together at most {points_text(together)}"
    return _grid_fault(event, first, second)


def _played_game_fault(event: EventScoring, first: int, second: int) -> str | None:
    win, draw, loss = event.game_win, event.game_draw, event.game_loss
    if event.game_results or 2 * draw != win + loss:
        possible = game_results_of(event)
        endings = listed_text(event) or ", ".join(score_text(*score) for score in possible)
        return None if (first, second) in possible else f"a game here ends {endings}"
    if first + second != win + loss:
        return f"the two sides of a game share {points_text(win + loss)}"
    if min(first, second) < loss:
        return f"a game gives at least {points_text(loss)}"
    return _grid_fault(event, first, second)


def _grid_fault(event: EventScoring, first: int, second: int) -> str | None:
    three = (event.game_win, event.game_draw, event.game_loss)
    sides = [side for each in listed_results(event) for side in each] or three
    whole = not any(points % 2 for points in sides)
    # If no result has half-points, no sum of results has them.
    return "this scoring has whole points only" if whole and (first % 2 or second % 2) else None
