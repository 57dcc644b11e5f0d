"""Our standings against the published ones."""

from django.http import HttpRequest, HttpResponse

from standings.checking.reports import checked_tables, verdict_of
from standings.eventwords import day_text
from standings.pages.frame import event_answer, sheet_of
from standings.pages.notes import manual_changes
from standings.serving.pages import event_page
from tournaments.models import Event, Published


@event_page
def check(request: HttpRequest, event: Event) -> HttpResponse:
    """Show our standings against the published ones."""
    published = Published.objects.filter(event=event).first()
    tables = checked_tables(event, published) if published else []
    rulings = []
    if tables:
        sheet = sheet_of(event, None)
        rulings = manual_changes(sheet, sheet.standings.table.rounds)
    context = {
        "tables": tables,
        "verdict": verdict_of(event, published),
        "published": published,
        "taken": day_text(published.taken) if published else "",
        "rulings": rulings,
    }
    return event_answer(request, event, "check", context)
