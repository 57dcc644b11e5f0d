"""The keys of what is searched: each says of what kind an entry is, and of which event or persons."""

from collections.abc import Iterable

from django.db.models import Q

from tournaments.models import SearchKind

IN_AN_ENTRY = 100
"""Persons, or teams, whose names are one entry, by their numbers: as many as an event may have."""

KINDS = 4
"""Keys of an event, or of a hundred persons, are so far apart; the triggers know it too."""


def key_of(kind: SearchKind, number: int) -> int:
    """Return the key of the entry of that kind for the event of that key, or for those hundred."""
    return number * KINDS + kind


def number_of(key: int) -> int:
    """Return the key of the event, or the number of the hundred, whose entry that is."""
    return key // KINDS


def hundred_of(key: int) -> int:
    """Return the number of the hundred in which a person, or a team, is."""
    return key // IN_AN_ENTRY


def within(hundreds: Iterable[int]) -> Q:
    """Return the condition that a primary key is of one of these hundreds."""
    condition = Q(pk__in=())
    for each in hundreds:
        condition |= Q(pk__gte=each * IN_AN_ENTRY, pk__lt=(each + 1) * IN_AN_ENTRY)
    return condition
