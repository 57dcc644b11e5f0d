"""Lookup of rated players: a page without JavaScript, and JSON for scripts while a name is typed."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from tournaments.accounts.services.roles import roles_of
from tournaments.admin.frame import page
from tournaments.interchange.ratinglists.folder import newest
from tournaments.interchange.ratinglists.lookup import look_up
from tournaments.interchange.ratinglists.players import (
    FIDE,
    KINDS,
    LOCAL,
    SOURCES,
    source_of,
)
from tournaments.models import Event

MAX_ON_PAGE = 50


def lookup_address(event: Event) -> str:
    """Return the URL that looks up names for an event, in the list of its discipline."""
    kind = event.ratings_from or event.rated_as or "standard"
    query = {"source": source_of(event.discipline), "kind": kind}
    return f"{reverse('admin:rating-lookup')}?{urlencode(query)}"


@admin.site.admin_view
def rating_lookup(request: HttpRequest) -> HttpResponse:
    """Return the players who match `q` in the newest list of `source`, as JSON for scripts or as a page."""
    if not roles_of(request.user):
        raise PermissionDenied
    text = request.GET.get("q", "").strip()
    source = request.GET.get("source", FIDE)
    source = source if source in SOURCES else FIDE
    kind = request.GET.get("kind", "")
    kind = kind if kind in {*KINDS, LOCAL} else ""
    used = newest(source, kind)
    if request.accepts("text/html"):
        players = look_up(used, text, kind, MAX_ON_PAGE) if used else []
        return page(
            request,
            None,
            "rating_lookup",
            _("Look a player up"),
            _("By name (the first letters of its words, in any order) or by id."),
            used=used,
            text=text,
            source=source,
            sources=SOURCES,
            players=players,
        )
    listed = look_up(used, text, kind) if used else []
    return JsonResponse(
        {
            "list": str(used) if used else "",
            "players": [
                {**player.particulars(source, kind), "is_inactive": player.is_inactive} for player in listed
            ],
        }
    )
