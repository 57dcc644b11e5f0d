"""An event as its page describes it to machines: a sports event and a data set, in words of schema.org."""

import json
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.eventwords import discipline_name, entrants_text, schedule_text
from tournaments.event.dates import is_date
from tournaments.models import Event

ESCAPED = {ord(sign): f"\\u{ord(sign):04X}" for sign in "<>&\u2028\u2029"}
"""Signs that could end the script element, or a line of it: JSON has another way to write each."""


def structured_data(event: Event, address: str, entries: int) -> SafeString:
    """The event and its data, as the JSON-LD of its page at that address."""
    graph = [_sports_event(event, address), _dataset(event, address, entries)]
    text = json.dumps({"@context": "https://schema.org", "@graph": graph}, ensure_ascii=False)
    return SafeString(text.translate(ESCAPED))


def _sports_event(event: Event, address: str) -> dict[str, Any]:
    series = event.series and {"@type": "EventSeries", "name": event.series.name}
    return _known(
        {
            "@type": "SportsEvent",
            "@id": f"{address}#event",
            "url": address,
            "name": event.name,
            "sport": discipline_name(event),
            "startDate": event.start if is_date(event.start) else "",
            "endDate": event.end if is_date(event.end) else "",
            "location": _location(event),
            "superEvent": series,
        }
    )


def _location(event: Event) -> dict[str, str] | None:
    if not event.place:
        return None
    return {"@type": "Place", "name": event.place, "address": event.place}


def _dataset(event: Event, address: str, entries: int) -> dict[str, Any]:
    return _known(
        {
            "@type": "Dataset",
            "@id": f"{address}#data",
            "url": address,
            "name": _("Results and standings of %(event)s") % {"event": event.name},
            "description": _(
                "Pairings, results and standings of %(event)s: %(entrants)s, %(schedule)s. "
                "Every tie-break value is explained."
            )
            % {
                "event": event.name,
                "entrants": entrants_text(event, entries),
                "schedule": schedule_text(event),
            },
            "about": {"@id": f"{address}#event"},
            "version": str(event.data_version or ""),
            "temporalCoverage": "/".join(filter(is_date, (event.start, event.end))),
            "license": event.licence,
            "isBasedOn": event.sources,
            "isAccessibleForFree": True,
        }
    )


def _known(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts that are known; one that is not is left out rather than left empty."""
    return {name: fact for name, fact in facts.items() if fact}
