"""Page of the prizes, with the winners and the calculation of each amount."""

from django.http import Http404, HttpRequest, HttpResponse

from standings.caching.cached_pages import choices, event_page
from standings.pages.events.notes import manual_changes
from standings.pages.frame import default_sheet, event_response
from standings.services import Ranked, prizes_of
from standings.tables.switches import running_link
from tournaments.event.prizes import shows_prizes
from tournaments.models import Event
from tournaments.prizes.texts import sharing_text


@event_page
def prizes(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the prizes of a past event, or if the organiser publishes them before; else Http404."""
    if not shows_prizes(event) and not hasattr(request, "preview"):
        raise Http404
    sheet = default_sheet(request, event)
    paired = sheet.shown_results.table.rounds
    context = {
        "list": prizes_of(event, Ranked(sheet.entries, sheet.standings)) if paired else None,
        "sharing": sharing_of(event),
        "basis": sheet.basis_text,
        "running": running_link(sheet, choices(request)),
        "rulings": manual_changes(sheet, paired),
        "entries": len(sheet.entries),
    }
    return event_response(request, event, "prizes", context)


def sharing_of(event: Event) -> str:
    return sharing_text(event.prize_sharing, is_cumulative=event.prizes_cumulative, step=event.prize_step)
