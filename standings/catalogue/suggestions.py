"""The suggestions of the search field."""

from django.urls import reverse
from django.utils.translation import gettext as _

from standings.catalogue.listing import Listing

MOST = 8
"""The number of suggestions that fit above the keyboard of a phone."""

MOST_EVENTS = 4
"""The number of events if names match too."""

MOST_SUGGESTED_PLACES = 2


def suggestions(listing: Listing) -> list[dict[str, str]]:
    """Return the suggestions in display order, each with `label`, `kind`, `about` and `address`."""
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
