"""Overview of an event: properties, top of the standings, rounds and sources.

For search engines it has a schema.org sports event and data set.
"""

from typing import Any
from urllib.parse import urljoin

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.caching.cached_pages import event_page, uses_parameters
from standings.charts.race import race_of
from standings.checking.trust import trust_statement
from standings.downloads.citations import (
    SITE,
    CitedEvent,
    bibtex,
    citation_data,
    citation_text,
    without_empty,
)
from standings.downloads.views import MAIN
from standings.pages.frame import PageLink, default_sheet, event_response, json_ld, sheet_context
from standings.services import places_after_each_round
from standings.statistics.summary import summary_of
from standings.statistics.texts import contenders_table
from standings.tables.columns import summary_columns
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsSheet
from standings.tables.values import table_legend
from standings.texts import discipline_name, entrants_text, properties_of, schedule_text
from tournaments.event.dates import is_date, parse_day
from tournaments.event.reuse import doi_address
from tournaments.models import Event
from tournaments.models.pairing import dated_rounds
from tournaments.people.hiding.hidden_entries import originals_of

TOP = 10


@event_page
@uses_parameters("picture")
def event(request: HttpRequest, event: Event) -> HttpResponse:
    sheet = default_sheet(request, event)
    columns = summary_columns(sheet)
    rounds = sheet.shown_results.table.rounds
    # An archive contains the BibTeX entry as a file.
    citing = citation_data(
        event, request.build_absolute_uri(request.path), in_archive=hasattr(request, "archive")
    )
    days_of_rounds = dated_rounds(event).values_list("date", flat=True)
    context = {
        **sheet_context(request, sheet),
        "has_days": lambda: parse_day(event.start) is not None or any(map(parse_day, days_of_rounds)),
        "table": StandingsTable(sheet, columns, limit=TOP),
        "race": race_of(sheet, places_after_each_round(event), everybody=True),
        "why_first": why_first(sheet),
        "contenders": contenders_table(sheet),
        "legend": table_legend(sheet, columns),
        "about": properties_of(event, ruled=sheet.shown_results.has_other_rules),
        "originals": lambda: originals_of(event),  # only archives use it
        "rounds": range(1, rounds + 1) if event.knows_round_order else (),
        "summary": summary_of(sheet),
        "trust": trust_statement(sheet, is_final=sheet.with_running is None),
        "citation": citation_text(citing),
        "bibtex": bibtex(citing),
        "structured": structured_data(citing, len(sheet.entries)),
    }
    return event_response(request, event, "event", context)


def why_first(sheet: StandingsSheet) -> PageLink | None:
    """Return the first, with the URL of the comparison with the second.

    None without a sole first, a second, or results.
    """
    if not sheet.event.knows_results:
        return None
    first, second = [*(row for row in sheet.rows if row.place), None, None][:2]
    if first is None or second is None or first.shared:
        return None
    one, other = (sheet.entries[row.competitor] for row in (first, second))
    address = reverse("compare", args=[sheet.event.slug, one.number, other.number])
    return PageLink(one.name, f"{address}{sheet.query}")


def structured_data(of: CitedEvent, entries: int) -> SafeString:
    event, address = of.event, of.address
    place = {"@type": "Place", "name": event.place, "address": event.place}
    series = event.series and {"@type": "EventSeries", "name": event.series.name}
    sports_event = without_empty(
        {
            "@type": "SportsEvent",
            "@id": f"{address}#event",
            "url": address,
            "name": event.name,
            "sport": discipline_name(event),
            "startDate": event.start if is_date(event.start) else "",
            "endDate": event.end if is_date(event.end) else "",
            "location": place if event.place else None,
            "superEvent": series,
        }
    )
    return json_ld({"@graph": [sports_event, _dataset(of, entries)]})


def _dataset(of: CitedEvent, entries: int) -> dict[str, Any]:
    event, address, licence = of.event, of.address, of.licence
    name = _("Published standings of %(event)s")
    description = _("Published standings of %(event)s: %(entrants)s.")
    if event.knows_results:
        name = _("Results and standings of %(event)s")
        description = _(
            "Pairings, results and standings of %(event)s: %(entrants)s, %(schedule)s. "
            "Every tie-break value is explained."
        )
    schedule = schedule_text(event)
    names = {"event": event.name, "entrants": entrants_text(event, entries), "schedule": schedule}
    site = {"@type": "Organization", "name": SITE, "url": urljoin(address, "/")}
    return without_empty(
        {
            "@type": "Dataset",
            "@id": f"{address}#data",
            "url": address,
            "name": name % names,
            "description": description % names,
            "about": {"@id": f"{address}#event"},
            "version": str(event.data_version or ""),
            "temporalCoverage": "/".join(filter(is_date, (event.start, event.end))),
            "dateModified": of.day if parse_day(of.day) else "",
            "spatialCoverage": event.place,
            "keywords": of.keywords,
            "identifier": doi_address(event.doi),
            "creator": site,
            "publisher": site,
            "license": licence.address,
            "copyrightNotice": "" if licence.address else licence.text,
            "isBasedOn": event.sources,
            "isAccessibleForFree": True,
            "distribution": [
                {
                    "@type": "DataDownload",
                    "encodingFormat": file.content_type.partition(";")[0],
                    "contentUrl": urljoin(address, reverse(file.view, args=[event.slug])),
                }
                for file in MAIN
            ],
        }
    )
