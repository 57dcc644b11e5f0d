"""The competitors of an event on a map of the world.

A page of its own: outlines and their table weigh as much as all the statistics.
"""

from django.http import HttpRequest, HttpResponse

from standings.basis import sentence
from standings.charts.worldmap import map_of_event
from standings.pages.frame import event_answer, sheet_of
from standings.pages.notes import manual_changes
from standings.serving.pages import event_page, knows
from standings.tables.switches import CARRIED
from tournaments.models import Event


@event_page
@knows(*CARRIED)
def world_map(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the best place of each country; a sentence where the competitors are from too few."""
    sheet = sheet_of(event, None)
    context = {
        "map": map_of_event(sheet, "../"),
        "basis": sentence(sheet.basis),
        "rulings": manual_changes(sheet, sheet.standings.table.rounds),
    }
    return event_answer(request, event, "map", context | {"entries": len(sheet.entries)})
