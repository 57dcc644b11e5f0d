"""Keys of search entries, composed of the kind and the event or hundred."""

from collections.abc import Iterable

from django.db.models import Q

from tournaments.models import SearchKind

IN_AN_ENTRY = 100
"""Number of persons or teams in one entry, about as many as an event has."""

KINDS = 4
"""Distance between keys of the same kind. The triggers use it too."""


def key_of(kind: SearchKind, number: int) -> int:
    """Return the key of the entry of a kind, for an event or a hundred."""
    return number * KINDS + kind


def number_of(key: int) -> int:
    return key // KINDS


def hundred_of(key: int) -> int:
    return key // IN_AN_ENTRY


def within(hundreds: Iterable[int]) -> Q:
    """Return the condition that a primary key is in one of these hundreds."""
    condition = Q(pk__in=())
    for each in hundreds:
        condition |= Q(pk__gte=each * IN_AN_ENTRY, pk__lt=(each + 1) * IN_AN_ENTRY)
    return condition
