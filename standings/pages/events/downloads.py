"""Pages of downloads, and of a table to paste."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from standings.caching.cached_pages import choices, event_page, uses_parameters
from standings.downloads.pastable import pastable
from standings.downloads.views import formats_of, notes_on_games
from standings.pages.events.filters import FILTERS, RowFilter
from standings.pages.frame import default_sheet, event_response
from standings.services import default_round
from tournaments.models import Event

TOP = "10"


@event_page
def downloads(request: HttpRequest, event: Event) -> HttpResponse:
    files = formats_of(event)
    if hasattr(request, "archive"):
        files = [file for file in files if file.is_archived]
    notes = notes_on_games(event)
    with_notes = [(file, notes.get(file.ending, "")) for file in files]
    groups = [
        (_("Results and standings"), [row for row in with_notes if not row[0].is_citation]),
        (_("Citations"), [row for row in with_notes if row[0].is_citation]),
    ]
    context = {"groups": groups, "after": None if hasattr(request, "archive") else default_round(event)}
    return event_response(request, event, "downloads", context)


@event_page
@uses_parameters("top", "after", *FILTERS)
def paste(request: HttpRequest, event: Event) -> HttpResponse:
    top = choices(request).get("top", "")
    limit = int(top) if top.isdecimal() else None
    address = request.build_absolute_uri(reverse("event", args=[event.slug]))
    row_filter = RowFilter(request, replace(default_sheet(request, event), address=address))
    context = {
        "html": pastable(row_filter.sheet, limit),
        "filter": row_filter,
        "is_short": limit is not None,
        "top": TOP if len(row_filter.sheet.rows_of_group) > int(TOP) else "",
    }
    return event_response(request, event, "paste", context)
