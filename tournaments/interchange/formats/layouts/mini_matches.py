"""Rounds for files in which two players have several games in a round: a round for each game."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tournaments.event.finding import Finding, Place, warning
from tournaments.interchange.formats.layouts.tagged_games import PlayedGame

Pair = frozenset[str]


def in_rounds_of_one_game(games: Sequence[PlayedGame], findings: list[Finding]) -> list[PlayedGame]:
    """Return the games, with a round for each game of a match if a round consists of matches.

    A round does if at least half of its pairs have several games, with alternating colours or different
    numbers. A game that the file repeats is no match.
    """
    by_round: dict[int, dict[Pair, list[PlayedGame]]] = defaultdict(lambda: defaultdict(list))
    for each in games:
        pair = frozenset({each.white.name.casefold(), each.black.name.casefold()})
        by_round[each.round][pair].append(each)
    lengths = {number: _length(list(pairs.values())) for number, pairs in by_round.items()}
    if max(lengths.values(), default=1) < 2:
        return list(games)
    offsets, more = {}, 0
    for number in sorted(by_round):
        offsets[number] = more
        more += lengths[number] - 1
    found = []
    for number, pairs in by_round.items():
        for of_pair in pairs.values():
            found += _in_further_rounds(of_pair, number + offsets[number], is_match=lengths[number] > 1)
    longer = sorted(number for number, length in lengths.items() if length > 1)
    first = longer[0]
    text = (
        f"In {len(longer)} rounds the same two have several games, {lengths[first]} in round {first}. Each "
        f"of these has a round of its own, {len(by_round) + more} together; the tags keep the file's numbers."
    )
    findings.append(warning("rounds-by-game", Place(), text))
    order = {id(each.text): at for at, each in enumerate(games)}
    return sorted(found, key=lambda each: order[id(each.text)])


def _length(pairs: Sequence[Sequence[PlayedGame]]) -> int:
    several = [each for each in pairs if len(each) > 1]
    if not several or 2 * len(several) < len(pairs) or not all(map(_is_match, several)):
        return 1
    return max(map(len, several))


def _is_match(games: Sequence[PlayedGame]) -> bool:
    numbers = [each.board for each in games]
    alternate = all(
        one.white.name.casefold() != other.white.name.casefold() for one, other in pairwise(games)
    )
    return alternate or (all(numbers) and len(set(numbers)) == len(numbers))


def _in_further_rounds(games: Sequence[PlayedGame], first: int, *, is_match: bool) -> list[PlayedGame]:
    if not is_match:
        return [replace(each, round=first) for each in games]
    numbers = Counter(each.board for each in games)
    is_numbered = len(games) > 1 and 0 not in numbers and max(numbers.values()) == 1
    ordered = sorted(games, key=lambda each: each.board) if is_numbered else games
    # The second number of the tag was the game, not a board.
    return [
        replace(each, round=first + at, board=0 if is_numbered else each.board)
        for at, each in enumerate(ordered)
    ]
