"""What the search field suggests while somebody types: events, persons, teams, places, each with its page."""

from django.urls import reverse
from django.utils.translation import gettext as _

from standings.catalogue.listing import Listing

MOST = 8
"""Suggestions: what a phone shows above its keyboard."""

MOST_EVENTS = 4
"""Of these events, where names were found too."""

MOST_SUGGESTED_PLACES = 2


def suggestions(listing: Listing) -> list[dict[str, str]]:
    """Return the first that was found, in the order in which they are shown, as JSON tells them.

    Each has a `label`, what it is (`kind`), more `about` it and an `address`.
    """
    if not listing.words:
        return []
    named = listing.hits.suggested(MOST) if listing.hits else []
    events = [
        {
            "kind": _("event"),
            "label": event.name,
            "about": " · ".join(filter(None, (event.place, event.start[:4]))),
            "address": reverse("event", args=[event.slug]),
        }
        for event in listing.named_events(MOST)
    ]
    fewer = events[: max(MOST - len(named), MOST_EVENTS)]
    places = listing.hits.suggested_places(MOST_SUGGESTED_PLACES) if listing.hits else []
    found = [*fewer, *named] if listing.names_event else [*named, *fewer]
    return [*found[: MOST - len(places)], *places]
