"""The public pages of an event that readers do not see, as its desk looks at them beforehand."""

import re
from copy import copy

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils import translation

from standings.serving.language import language_of
from standings.serving.pages import Preview
from tournaments.admin.permissions import desk_view
from tournaments.models import Event


@desk_view()
def preview(request: HttpRequest, event: Event, page: str) -> HttpResponse:
    """The page at that public address as it will be: made now and kept nowhere, its links lead to previews.

    A public event has no preview: its page itself answers.
    """
    address = f"/{page}"
    with translation.override(language_of(address)):
        match = _page_of(event, address)
    if event.is_public:
        return redirect(
            address
        )  # a page of ours by now: `//elsewhere.example/` is an address of nothing here
    begins = reverse("event-preview", args=[event.pk, "-"]).removesuffix("-")
    asked = copy(request)
    asked.path = asked.path_info = address
    asked.preview = Preview(event.pk, reverse("admin:event-desk", args=[event.pk]))  # type: ignore[attr-defined]  # ours
    with translation.override(language_of(address)):
        answer: HttpResponse = match.func(asked, *match.args, **match.kwargs)
    return _led_back(answer, event, begins)


def _page_of(event: Event, address: str) -> ResolverMatch:
    """The page of this event at the address; 404 for every other address of the site."""
    try:
        match = resolve(address)
    except Resolver404 as unknown:
        raise Http404 from unknown
    # Whatever has the event's slug in its address is a page or a file of it. But a series may have the same
    # slug, and a poll of what is kept nowhere has no version to compare.
    if match.kwargs.get("slug") != event.slug or match.url_name in {"series", "poll"}:
        raise Http404
    return match


def _led_back(answer: HttpResponse, event: Event, begins: str) -> HttpResponse:
    """The answer with the links to pages of this event as links to their previews."""
    prefixes = "|".join(f"{code}/" for code, _ in settings.LANGUAGES)
    own = rf"/((?:{prefixes})?events/{event.slug}[/.])"
    for header in ("Location", "HX-Redirect"):
        if header in answer:
            answer[header] = re.sub(rf"\A{own}", rf"{begins}\1", answer[header])
    if answer.get("Content-Type", "").startswith("text/html"):
        answer.content = re.sub(rf'="{own}', rf'="{begins}\1', answer.content.decode()).encode()
    return answer
