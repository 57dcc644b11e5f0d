"""The competitors of an event on a map of the world.

A page of its own: outlines and their table weigh as much as all the statistics.
"""

from django.http import HttpRequest, HttpResponse

from standings.caching.cached_pages import choices, event_page, knows, require_results
from standings.charts.worldmap import map_of_event
from standings.pages.frame import default_sheet, event_answer
from standings.pages.notes import manual_changes
from standings.tables.switches import CARRIED, running_link
from tournaments.models import Event


@event_page
@knows(*CARRIED)
def world_map(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the best place of each country; a sentence where the competitors are from too few."""
    require_results(event)
    sheet = default_sheet(request, event)
    context = {
        "map": map_of_event(sheet, "../"),
        "basis": sheet.basis_text,
        "running": running_link(sheet, choices(request)),
        "rulings": manual_changes(sheet, sheet.shown_results.table.rounds),
    }
    return event_answer(request, event, "map", context | {"entries": len(sheet.entries)})
