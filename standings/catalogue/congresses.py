"""Congresses: events that are played together, such as an open, a women's event and age groups."""

from typing import Protocol

from django.utils.text import slugify

from tournaments.event.choices import PUBLIC
from tournaments.models import Event


class OfCongress(Protocol):
    """An event or a record of an event with the name of its congress."""

    @property
    def congress(self) -> str: ...


def congress_slug(event: OfCongress) -> str:
    """Return the slug of the congress, made from its name; blank if the event has none."""
    return slugify(event.congress)


def sections_of_congress(congress: str) -> list[Event]:
    """Return the public events of a congress by start; one query."""
    return list(Event.objects.filter(congress=congress, state__in=PUBLIC).order_by("start", "pk"))


def congress_of(slug: str) -> str:
    """Return the name of the congress, blank if no public event has that slug; one query."""
    named = Event.objects.filter(state__in=PUBLIC).exclude(congress="").order_by("congress")
    names = named.values_list("congress", flat=True).distinct()
    return next((name for name in names if slugify(name) == slug), "")
