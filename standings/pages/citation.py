"""How an event is cited: what it is, where its data stand, in which version; the same until they change."""

import re
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from standings.eventwords import dates_text, day_text, last_recorded_day
from standings.serving.pages import event_page, only_read
from tournaments.event.dates import day_of
from tournaments.models import Event

SITE = "Crosstable"
CONTENT_TYPE = "application/x-bibtex; charset=utf-8"

SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
"""Signs that mean something to BibTeX, and how they are written as signs."""


class Citation(NamedTuple):
    """The two forms in which an event is cited."""

    text: str
    bibtex: str


def citation_of(event: Event, address: str) -> Citation:
    """The event whose page stands at that address, at the version it was read at; one query."""
    day = last_recorded_day(event)
    return Citation(_text(event, address, day), _bibtex(event, address, day))


def _text(event: Event, address: str, day: str) -> str:
    """`43rd Olympiad, Open. Batumi, 24 September – 5 October 2018. Crosstable, data version 4, …`."""
    what = ". ".join(part for part in (event.name, ", ".join(filter(None, _where_and_when(event)))) if part)
    values = {"site": SITE, "version": event.data_version, "date": day_text(day), "address": address}
    if not day:
        return f"{what}. " + _("%(site)s, data version %(version)s. %(address)s") % values
    return f"{what}. " + _("%(site)s, data version %(version)s, last change %(date)s. %(address)s") % values


def _where_and_when(event: Event) -> tuple[str, str]:
    return event.place, dates_text(event)


def _bibtex(event: Event, address: str, day: str) -> str:
    """An entry that every BibTeX understands; what is not known is left out."""
    note = [f"Data version {event.data_version}", *([f"last change {day}"] if day else [])]
    fields = {
        "title": f"{{{escaped(event.name)}}}",
        "year": event.start[:4],
        "address": escaped(event.place),
        "howpublished": rf"\url{{{address}}}",
        "publisher": SITE,
        "note": escaped(", ".join([*filter(None, [_days(event)]), *note])),
    }
    lines = [f"  {name:<12} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{event.slug},", *lines, "}"]) + "\n"


def _days(event: Event) -> str:
    """`2018-09-24/2018-10-05`; blank where no more than the year is known."""
    days = [day for day in (event.start, event.end) if day_of(day)]
    return "/".join(dict.fromkeys(days))


def escaped(text: str) -> str:
    """The text as BibTeX prints it."""
    return re.sub(r"[\\~^&%$#_{}]", lambda sign: SIGNS[sign[0]], text)


@event_page
def _page(request: HttpRequest, event: Event) -> HttpResponse:
    address = request.build_absolute_uri(reverse("event", args=[event.slug]))
    return HttpResponse(citation_of(event, address).bibtex)


@only_read
def event_bib(request: HttpRequest, slug: str) -> HttpResponse:
    """The entry for BibTeX, to be saved as a file."""
    response = _page(request, slug)
    # A 304, and the way to a new slug, are no files.
    if response.status_code == 200:
        response["Content-Type"] = CONTENT_TYPE
        response["Content-Disposition"] = f'attachment; filename="{slug}.bib"'
    return response
