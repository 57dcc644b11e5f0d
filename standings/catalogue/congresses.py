"""The sections of a congress: events that were played as one, such as Open, Women and groups by age."""

from typing import Protocol

from django.utils.text import slugify

from tournaments.event.choices import PUBLIC
from tournaments.models import Event


class OfCongress(Protocol):
    """An event, or a row of one, that tells the name of its congress."""

    @property
    def congress(self) -> str: ...


def congress_slug(event: OfCongress) -> str:
    """Return the last part of the address of an event's congress; blank where it is in none.

    It is made of the name: what congresses have beside it stands in their sections.
    """
    return slugify(event.congress)


def sections_of_congress(congress: str) -> list[Event]:
    """Return the public events of a congress by its name, in the order of their entry; one query."""
    return list(Event.objects.filter(congress=congress, state__in=PUBLIC).order_by("start", "pk"))


def congress_of(slug: str) -> str:
    """Return the name of the congress with that address, blank where no public event has one; one query."""
    named = Event.objects.filter(state__in=PUBLIC).exclude(congress="").order_by("congress")
    names = named.values_list("congress", flat=True).distinct()
    return next((name for name in names if slugify(name) == slug), "")
