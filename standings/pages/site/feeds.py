"""Site-wide feeds of events and corrections, the sitemap, and robots.txt."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time
from itertools import islice
from typing import NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Concat, Left, NullIf
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from standings.caching.cached_pages import site_page, static_page, with_content_type
from standings.careers.directory import first_listed
from standings.pages.page_list import EVENT_PAGES
from standings.serving.language import versions
from standings.texts import dates_text, discipline_name, schedule_text
from tournaments.event.choices import PUBLIC
from tournaments.event.dates import last_day_of, parse_day
from tournaments.event.hiddensigns import written_out
from tournaments.models import Change, Event, Series
from tournaments.people.services.tallies import LISTED_PERSONS, LISTED_TEAMS
from tournaments.texts import paired_text

ATOM = "application/atom+xml; charset=utf-8"
NEWEST = 50
MOST_PATHS = 25_000
"""Paths in the sitemap, in two languages: it has at most 50,000 URLs. The oldest events are left out."""
MOST_OVER_EVENTS = 5000
"""Persons, and teams, in the sitemap."""
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"


class Item(NamedTuple):
    """An entry of a feed. The anchor is a permanent id among entries with the same URL."""

    at: datetime
    title: str
    text: str
    address: str
    anchor: str = ""


@with_content_type(ATOM)
@site_page
def feed(request: HttpRequest) -> HttpResponse:
    return atom_of(
        request,
        _("Crosstable: events and corrections"),
        _("Draughts and chess tournaments, and their corrections."),
        reverse("events"),
        items_of_site(),
    )


def items_of_site() -> list[Item]:
    """Return the public events and their latest corrections, the newest first."""
    day = Coalesce(NullIf("end", Value("")), NullIf("start", Value("")), Value("0000"))
    # A year sorts after its days, as its last day does, with every collation of the database.
    padded = Left(Concat(day, Value("-99-99")), 10)
    newest = Event.objects.filter(state__in=PUBLIC).order_by(padded.desc(), "-name")[:NEWEST]
    events = [_event_item(event, last_moment(event.end or event.start)) for event in newest]
    changes = Change.objects.filter(event__state__in=PUBLIC)
    return sorted([*events, *corrections(changes)], reverse=True)


@with_content_type(ATOM)
@site_page
def added_feed(request: HttpRequest) -> HttpResponse:
    """Return events by the time at which readers could first see them, as Atom."""
    events = Event.objects.filter(state__in=PUBLIC).select_related("revision")
    newest = events.order_by("-revision__public_at", "-pk")[:NEWEST]
    return atom_of(
        request,
        _("Crosstable: events added"),
        _("Draughts and chess tournaments, the latest added first."),
        reverse("events"),
        [_event_item(event, event.revision.public_at or event.revision.changed_at) for event in newest],
    )


def atom_of(
    request: HttpRequest, title: str, description: str, about: str, items: Sequence[Item]
) -> HttpResponse:
    """Return the first `NEWEST` items as Atom; `about` is the path of the page that the feed belongs to."""
    atom = Atom1Feed(
        title=written_out(title),
        link=request.build_absolute_uri(about),
        description=written_out(description),
        feed_url=request.build_absolute_uri(request.path),
        language=get_language(),
        author_name="Crosstable",
    )
    for item in items[:NEWEST]:
        address = request.build_absolute_uri(item.address)
        atom.add_item(
            written_out(item.title),
            address,
            escape(written_out(item.text)),  # a summary is HTML
            # Programs identify entries by id, and all corrections of an event have the same URL.
            unique_id=f"{address}#{item.anchor}" if item.anchor else address,
            updateddate=item.at,
        )
    return HttpResponse(atom.writeString("utf-8"))


def _event_item(event: Event, at: datetime) -> Item:
    parts = (event.place, dates_text(event), discipline_name(event), schedule_text(event))
    return Item(at, event.name, " · ".join(filter(None, parts)), reverse("event", args=[event.slug]))


def corrections(changes: QuerySet[Change]) -> Iterator[Item]:
    """Yield the latest of these corrections; one query."""
    for change in changes.select_related("event").order_by("-at", "-pk")[:NEWEST]:
        title = _("Correction: %(event)s, round %(number)s") % {
            "event": change.event.name,
            "number": change.round,
        }
        became = _("%(was)s changed to %(now)s.") % {"was": change.was, "now": change.now}
        text = " ".join(filter(None, (became, change.reason, paired_text(change.paired))))
        address = reverse("changes", args=[change.event.slug])
        yield Item(change.at, title, text, address, f"change-{change.pk}")


def last_moment(written: str) -> datetime:
    """Return noon of the day, or of the last day of the year; the earliest date if none is known."""
    return datetime.combine(last_day_of(written) or date.min, time(12), UTC)


@with_content_type("application/xml; charset=utf-8")
@site_page
def sitemap(request: HttpRequest) -> HttpResponse:
    urls: list[str] = []
    for path, changed in islice(_paths_of_sitemap(), MOST_PATHS):
        pages = [(version.code, escape(version.canonical)) for version in versions(request, path)]
        links = (f'<xhtml:link href="{page}" hreflang="{code}" rel="alternate"/>' for code, page in pages)
        about = "".join(links) + (f"<lastmod>{changed}</lastmod>" if changed else "")
        urls += (f"<url><loc>{page}</loc>{about}</url>" for _code, page in pages)
    return HttpResponse(sitemap_text(urls))


def sitemap_text(urls: Iterable[str]) -> str:
    start = f'<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="{SITEMAP}" xmlns:xhtml="{XHTML}">'
    return f"{start}{''.join(urls)}</urlset>"


def _paths_of_sitemap() -> Iterator[tuple[str, str]]:
    """Yield the path and last change of pages for the sitemap; an unknown change is empty."""
    pages: tuple[str, ...] = ("events", "series-list", "people", "records", "teams", "criteria", "codes")
    pages += ("api-reference", "event-format", "layouts", "validate")
    yield from ((reverse(name), "") for name in pages)
    for slug in Series.objects.filter(events__state__in=PUBLIC).distinct().values_list("slug", flat=True):
        yield reverse("series", args=[slug]), ""
    for name, kind in (("person", LISTED_PERSONS), ("team", LISTED_TEAMS)):
        for leading in first_listed(kind, MOST_OVER_EVENTS):
            if leading.slug:
                yield reverse(name, args=[leading.id, leading.slug]), ""
    public = Event.objects.filter(state__in=PUBLIC)
    congresses = {slugify(name) for name in public.order_by().values_list("congress", flat=True).distinct()}
    for slug in sorted(congresses - {""}):
        yield reverse("congress", args=[slug]), ""
    # Not an aggregate, which would group all events before it takes the first.
    corrections_of = Change.objects.filter(event=OuterRef("pk")).order_by("-at")
    events = public.annotate(corrected=Subquery(corrections_of.values("at")[:1])).order_by("-start", "name")
    fields = (
        "slug", "state", "end", "corrected", "categories", "prizes", "prizes_public", "unknown",
    )  # fmt: skip
    for event in events.values_list(*fields, named=True)[: MOST_PATHS // 2]:
        # A live event changes with every result, and its end may be in the future.
        end = "" if event.state == Event.State.LIVE else event.end
        corrected = event.corrected.date().isoformat() if event.corrected else ""
        changed = max(end if parse_day(end) else "", corrected)
        for page in EVENT_PAGES:
            for arguments in page.in_sitemap(event) if page.in_sitemap and page.is_of(event) else ():
                yield reverse(page.name, kwargs={"slug": event.slug, **arguments}), changed


@with_content_type("text/plain; charset=utf-8")
@static_page
def robots(request: HttpRequest) -> HttpResponse:
    address = request.build_absolute_uri(reverse("sitemap"))
    # An archive and the file of all events take seconds to create.
    closed = (
        *(reverse("admin:index"), reverse("find"), reverse("suggest")),
        *("/events/*.zip$", "/api/events.ndjson", "/*events/*/archive/$", "/*events/*/report/"),
    )
    lines = (
        "User-agent: *",
        *(f"Disallow: {path}" for path in closed),
        f"Sitemap: {address}",
        f"# All events as one file, for programs: {request.build_absolute_uri(reverse('api-bulk'))}",
        "",
    )
    return HttpResponse("\n".join(lines))
