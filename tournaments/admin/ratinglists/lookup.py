"""Players looked up at the desk: a page without scripts, and what scripts ask while a name is typed."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from tournaments.admin.frame import page
from tournaments.admin.permissions import roles_of
from tournaments.interchange.ratinglists.folder import newest
from tournaments.interchange.ratinglists.lookup import look_up_in
from tournaments.interchange.ratinglists.players import (
    FIDE,
    KINDS,
    LOCAL,
    SOURCES,
    RatedPlayer,
    kind_of_ratings,
    source_of,
)
from tournaments.models import Event

MOST_ON_PAGE = 50


def lookup_address(event: Event) -> str:
    """Return where names that are typed for an event are looked up: in the list of its discipline."""
    query = {"source": source_of(event.discipline), "kind": kind_of_ratings(event) or "standard"}
    return f"{reverse('admin:rating-lookup')}?{urlencode(query)}"


@admin.site.admin_view
def rating_lookup(request: HttpRequest) -> HttpResponse:
    """Answer who may be meant by `q`, by the newest list of `source`: as JSON to a script, else as a page."""
    if not roles_of(request.user):
        raise PermissionDenied
    text = request.GET.get("q", "").strip()
    source = request.GET.get("source", FIDE)
    source = source if source in SOURCES else FIDE
    kind = request.GET.get("kind", "")
    kind = kind if kind in {*KINDS, LOCAL} else ""
    used = newest(source, kind)
    if request.accepts("text/html"):
        found = look_up_in(used, text, kind, MOST_ON_PAGE) if used else []
        return page(
            request,
            None,
            "rating_lookup",
            _("Look a player up"),
            _("By a name, or the beginnings of its words in any order; or by the id."),
            used=used,
            text=text,
            source=source,
            sources=SOURCES,
            players=found,
        )
    listed = look_up_in(used, text, kind) if used else []
    return JsonResponse(
        {
            "list": str(used) if used else "",
            "players": [_written(player, source, kind) for player in listed],
        }
    )


def _written(player: RatedPlayer, source: str, kind: str) -> dict[str, Any]:
    """Return what the fields of a competitor take, and whether the player is inactive."""
    return {**player.particulars(source, kind), "is_inactive": player.is_inactive}
