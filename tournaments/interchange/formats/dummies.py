"""Dummy competitors: programs write `spielfrei` as the opponent of a bye."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tournaments.event.document import CompetitorEntry, Document, EventEntry, PairingEntry
from tournaments.event.scores import bye_points, own_match_points

_NAMES = frozenset(("spielfrei", "freilos", "bye", "dummy", "dummyplayer", "vrij", "exempt"))
_NO_LETTER = re.compile(r"[\W\d_]+")
_BYES = ("bye", "half-bye", "zero-bye")


def dummies(document: Document) -> tuple[CompetitorEntry, ...]:
    return tuple(each for each in document.competitors if is_nobody(each))


def is_nobody(competitor: CompetitorEntry) -> bool:
    """Return whether the name is a word for a bye, and there is no rating or FIDE id."""
    return names_nobody(competitor.name) and competitor.rating is None and competitor.fide_id is None


def names_nobody(name: str) -> bool:
    """Return whether a name is a word for the missing opponent, such as `spielfrei`."""
    return _NO_LETTER.sub("", name).casefold() in _NAMES


def without(document: Document, dropped: set[int]) -> Document:
    """Return the document without these competitors. Their opponents had a bye with the same points."""
    return replace(
        document,
        competitors=tuple(each for each in document.competitors if each.number not in dropped),
        rounds=tuple(
            replace(each, pairings=tuple(_with_byes(document.event, each.pairings, dropped)))
            for each in document.rounds
        ),
    )


def _with_byes(
    event: EventEntry, pairings: tuple[PairingEntry, ...], dropped: set[int]
) -> Iterator[PairingEntry]:
    for each in pairings:
        numbers = [number for number in each.numbers if number not in dropped]
        if len(numbers) == len(each.numbers):
            yield each
        elif numbers:
            yield _bye_against_dummy(event, each, numbers[0])


def _bye_against_dummy(event: EventEntry, pairing: PairingEntry, number: int) -> PairingEntry:
    is_first = pairing.first == number
    score = pairing.first_score if is_first else pairing.second_score
    given = pairing.first_match_points if is_first else pairing.second_match_points
    # A pairing without a result has the points of a bye.
    if score is None:
        score = bye_points(event, "bye")[0]
    kind = next((each for each in _BYES if bye_points(event, each)[0] == score), "bye")
    points, _ = own_match_points(event, kind, (score, None), (given, None))
    return PairingEntry(
        table=pairing.table, first=number, kind=kind, first_score=score, first_match_points=points
    )
