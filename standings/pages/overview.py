"""The first page of an event: what it is, the top of its standings, its rounds, its sources.

To machines it describes the event as a sports event and a data set, in words of schema.org.
"""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import sentence
from standings.checking.reports import verdict_of
from standings.eventwords import discipline_name, entrants_text, properties_of, rounds_of, schedule_text
from standings.pages.citation import citation_of
from standings.pages.frame import event_answer, sheet_of
from standings.pages.notes import manual_changes
from standings.serving.pages import event_page
from standings.statistics.summary import summary_of
from standings.tables.columns import summary_columns
from standings.tables.rows import StandingsTable
from standings.tables.values import legend_of
from tournaments.event.dates import is_date
from tournaments.models import Event, Published

TOP = 10
ESCAPED = {ord(sign): f"\\u{ord(sign):04X}" for sign in "<>&\u2028\u2029"}
"""Signs that could end the script element, or a line of it: JSON has another way to write each."""


@event_page
def event(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what the event is, the top of its standings, its rounds, its sources."""
    sheet = sheet_of(event, None)
    columns = summary_columns(sheet)
    rounds = rounds_of(event)
    context = {
        "table": StandingsTable(sheet, columns, limit=TOP),
        "basis": sentence(sheet.basis),
        "rulings": manual_changes(sheet, sheet.standings.table.rounds),
        "legend": legend_of(sheet, columns),
        "about": properties_of(event, ruled=sheet.standings.has_other_rules),
        "rounds": rounds,
        "dated": any(each.date for each in rounds),
        "summary": summary_of(sheet, in_short=True),
        "verdict": verdict_of(event, Published.objects.filter(event=event).first()),
        "citation": citation_of(event, request.build_absolute_uri(request.path)),
        "structured": structured_data(event, request.build_absolute_uri(request.path), len(sheet.entries)),
    }
    return event_answer(request, event, "event", context | {"entries": len(sheet.entries)})


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
