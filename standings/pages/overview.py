"""The first page of an event: what it is, the top of its standings, its rounds, its sources."""

from django.http import HttpRequest, HttpResponse

from standings.basis import sentence
from standings.checking.reports import verdict_of
from standings.eventwords import properties_of, rounds_of
from standings.pages.citation import citation_of
from standings.pages.frame import event_answer, sheet_of
from standings.pages.heads import structured_data
from standings.pages.notes import manual_changes
from standings.serving.pages import event_page
from standings.statistics.summary import summary_of
from standings.tables.columns import summary_columns
from standings.tables.rows import StandingsTable
from standings.tables.values import legend_of
from tournaments.models import Event, Published

TOP = 10


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
