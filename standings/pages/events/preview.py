"""Previews of the public pages of an event for its desk."""

import re
from copy import copy

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils import translation

from standings.caching.cached_pages import Preview
from standings.serving.language import language_of
from tournaments.admin.permissions import desk_view
from tournaments.models import Event


@desk_view()
def preview(request: HttpRequest, event: Event, page: str) -> HttpResponse:
    """Show the public page at that path, not cached, with links to other previews.

    Public events redirect to the page itself.
    """
    address = f"/{page}"
    with translation.override(language_of(address)):
        match = _page_of(event, address)
    if event.is_public:
        return redirect(address)  # the URL resolved, so `//elsewhere.example/` cannot get here
    begins = reverse("event-preview", args=[event.pk, "-"]).removesuffix("-")
    asked = copy(request)
    asked.path = asked.path_info = address
    asked.preview = Preview(event.pk, reverse("admin:event-desk", args=[event.pk]))  # type: ignore[attr-defined]  # ours
    with translation.override(language_of(address)):
        answer: HttpResponse = match.func(asked, *match.args, **match.kwargs)
    prefixes = "|".join(f"{code}/" for code, _ in settings.LANGUAGES)
    own = rf"/((?:{prefixes})?events/{event.slug}[/.])"
    for header in ("Location", "HX-Redirect"):
        if header in answer:
            answer[header] = re.sub(rf"\A{own}", rf"{begins}\1", answer[header])
    if answer.get("Content-Type", "").startswith("text/html"):
        answer.content = re.sub(rf'="{own}', rf'="{begins}\1', answer.content.decode()).encode()
    return answer


def _page_of(event: Event, address: str) -> ResolverMatch:
    """Return the resolved page of this event; raise Http404 for all other URLs."""
    try:
        match = resolve(address)
    except Resolver404 as unknown:
        raise Http404 from unknown
    # URLs with the slug of the event are its pages or files. A series may have the same slug, and polling a
    # page that is not cached has no version to compare.
    if match.kwargs.get("slug") != event.slug or match.url_name in {"series", "poll"}:
        raise Http404
    return match
