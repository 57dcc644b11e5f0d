"""The schedule of a round robin by Berger tables (FIDE Handbook C.05, Annex 1)."""

from collections.abc import Sequence

Meeting = tuple[int, int | None]
"""The two players at a table, White first; None if the player has a free round."""


def berger(players: int, *, is_double: bool = False) -> list[list[Meeting]]:
    """Return the meetings of every round, by drawn number, 1 to `players`.

    An odd number gets a dummy as the highest number; its opponent has a free round, at the last table. In a
    double round robin the second cycle is the first with colours reversed, and the last two rounds of the
    first cycle are swapped, as the annex recommends, so that no player has one colour three times in a row.
    Raise ValueError if there are fewer than two players.
    """
    if players < 2:
        raise ValueError("a round robin takes two players or more")
    cycle = [_round(players + players % 2, number) for number in range(players - 1 + players % 2)]
    if is_double:
        turned = [*cycle[:-2], *reversed(cycle[-2:])]
        cycle = turned + [[(second, first) for first, second in each] for each in cycle]
    return [_with_rest_last(each, players) for each in cycle]


def _round(even: int, number: int) -> list[tuple[int, int]]:
    """Return round `number` (from 0) for an even number of players.

    The opponent of the highest number advances by half the table each round; the other players keep their
    order around it.
    """
    others = even - 1
    pivot = number * even // 2 % others
    first = (pivot + 1, even) if number % 2 == 0 else (even, pivot + 1)
    rest = [((pivot + step) % others + 1, (pivot - step) % others + 1) for step in range(1, even // 2)]
    return [first, *rest]


def _with_rest_last(meetings: Sequence[tuple[int, int]], players: int) -> list[Meeting]:
    met: list[Meeting] = [each for each in meetings if max(each) <= players]
    return met + [(min(each), None) for each in meetings if max(each) > players]
