"""The competitors of an event on a world map.

It is a separate page because outlines and their table are as large as all statistics.
"""

from django.http import HttpRequest, HttpResponse

from standings.caching.cached_pages import choices, event_page, require_results
from standings.charts.worldmap import map_of_event
from standings.pages.events.notes import manual_changes
from standings.pages.frame import default_sheet, event_response
from standings.tables.switches import running_link
from tournaments.models import Event


@event_page
def world_map(request: HttpRequest, event: Event) -> HttpResponse:
    require_results(event)
    sheet = default_sheet(request, event)
    context = {
        "map": map_of_event(sheet, "../"),
        "basis": sheet.basis_text,
        "running": running_link(sheet, choices(request)),
        "rulings": manual_changes(sheet, sheet.shown_results.table.rounds),
    }
    return event_response(request, event, "map", context | {"entries": len(sheet.entries)})
