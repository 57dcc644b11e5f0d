"""Settings for the pairing of a Swiss: acceleration, forbidden pairings, postponed and adjourned games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tournaments.event.choices import DelayedPoints, Kind
from tournaments.event.document import Document, ForbiddenGroup, PairingEntry, ProvisionalResult
from tournaments.event.scores import number_of_boards

# --- Baku acceleration (FIDE C.04.7): virtual points that count only for the pairing ------------------------

BAKU = "baku"


@dataclass(frozen=True, slots=True)
class Phase:
    """Rounds in which accelerated competitors have these additional half-points."""

    points: int
    first: int
    last: int


def phases(rounds: int, win: int) -> list[Phase]:
    """Return the phases of an event with these rounds. `win`: the half-points of a win.

    The first half of the rounds is accelerated, rounded up. In the first half of these, rounded up, the
    virtual points are a win, then half a win (1.4).
    """
    accelerated = -(-rounds // 2)
    whole = -(-accelerated // 2)
    found = [Phase(win, 1, whole), Phase(win // 2, whole + 1, accelerated)]
    return [each for each in found if each.first <= each.last]


def last_accelerated(numbers: Sequence[int]) -> int | None:
    """Return the number of the last accelerated competitor: half, rounded up to an even number (1.2)."""
    ordered = sorted(numbers)
    return ordered[min(2 * -(-len(ordered) // 4), len(ordered)) - 1] if ordered else None


def virtual_points(number: int, round_number: int, rounds: int, win: int, last: int | None) -> int:
    """Return the virtual half-points of a competitor in a round; 0 if the competitor is not accelerated."""
    if last is None or number > last:
        return 0
    return next((each.points for each in phases(rounds, win) if each.first <= round_number <= each.last), 0)


# --- forbidden pairings -----------------------------------------------------------------------------------


def forbidden_group(competitors: Iterable[int], first_round: int = 0, last_round: int = 0) -> ForbiddenGroup:
    """Return a group whose members must not meet, each once and by number; 0 means no bound."""
    return ForbiddenGroup(
        competitors=sorted(set(competitors)), first_round=first_round, last_round=last_round
    )


def forbidden_in(groups: Sequence[ForbiddenGroup], number: int) -> set[frozenset[int]]:
    return {
        frozenset((one, other))
        for group in groups
        if group["first_round"] <= number <= (group["last_round"] or number)
        for one in group["competitors"]
        for other in group["competitors"]
        if one < other
    }


# --- postponed and adjourned games --------------------------------------------------------------------------


def delayed_games(document: Document, number: int) -> list[ProvisionalResult]:
    """Return the games and matches before a round of a Swiss that are postponed or adjourned.

    By FIDE C.04.2 (2026), 3.1, adjourned games and adjourned matches of teams are draws for the pairing only.
    The rules do not mention postponed games. The setting of the event decides for both.
    """
    event = document.event
    is_draw = event.delayed_points == DelayedPoints.DRAW
    return [
        ProvisionalResult(round=at, table=each.table, points=event.game_draw if is_draw else 0)
        for at, each in (() if event.is_round_robin else document.without_result())
        if each.delayed and at < number
    ]


def paired_from(document: Document, number: int) -> list[ProvisionalResult]:
    """Return the provisional results of a paired round: the stored ones, and those of still open games."""
    stored = next((each.provisional_results for each in document.rounds if each.number == number), ())
    known = {(each["round"], each["table"]) for each in stored}
    still_open = delayed_games(document, number)
    return [*stored, *(each for each in still_open if (each["round"], each["table"]) not in known)]


def with_provisional(document: Document, results: Iterable[ProvisionalResult]) -> Document:
    """Return the document with these results instead of those that the games have now."""
    event, given = document.event, {(each["round"], each["table"]): each["points"] for each in results}

    def as_counted(number: int, pairing: PairingEntry) -> PairingEntry:
        points = given.get((number, pairing.table))
        if points is None or pairing.second is None:
            return pairing
        result: dict[str, Any] = {
            "kind": Kind.PLAYED.value,
            "delayed": "",
            "advantage": "",
            "games_played": None,
        }
        total = points * number_of_boards(event)
        # A match of 0-0 would be a draw.
        match_points = event.match_loss if event.is_team and not points else None
        return replace(
            pairing,
            **result,
            first_score=total,
            second_score=total,
            first_match_points=match_points,
            second_match_points=match_points,
            games=tuple(
                replace(each, **result, first_score=points, second_score=points) for each in pairing.games
            ),
        )

    rounds = (
        replace(each, pairings=tuple(as_counted(each.number, pairing) for pairing in each.pairings))
        for each in document.rounds
    )
    return replace(document, rounds=tuple(rounds)) if given else document
