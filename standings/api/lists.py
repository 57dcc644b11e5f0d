"""Events by page as on the home page, or by time of change; series and congresses."""

import base64
import binascii
import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify

from standings.api.responses import RefusedError, endpoint
from standings.api.site_schemas import (
    CongressBrief,
    CongressData,
    CongressListData,
    EventBrief,
    EventsData,
    RemovedEvent,
    SeriesBrief,
    SeriesData,
    SeriesListData,
)
from standings.caching.cached_pages import choices, mark_uncacheable, site_page, uses_parameters
from standings.catalogue.editions import (
    SeriesRow,
    congress_of,
    editions_of,
    sections_of_congress,
    series_rows,
)
from standings.catalogue.eventlines import entries_in
from standings.catalogue.listing import ASKED, PER_PAGE, Listing
from standings.catalogue.series.honours import honours_of
from tournaments.event.choices import PUBLIC
from tournaments.models import Event, Series
from tournaments.operations.revision import site_revision, with_versions

OVERLAP = timedelta(minutes=15)
"""A change has the time of its write and is visible after its commit, which takes less than this."""

EVER = "0001-01-01"

PARAMETERS = (*ASKED, "limit", "modified_since", "cursor")


class Cursor(NamedTuple):
    """The last event of a page of modified events, and the `until` of the first page."""

    changed_at: datetime
    slug: str
    until: datetime

    def written(self) -> str:
        told = [self.changed_at.isoformat(), self.slug, self.until.isoformat()]
        return base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")

    @classmethod
    def read(cls, written: str) -> "Cursor":
        """Return the cursor of a query parameter; raise RefusedError if it is invalid."""
        try:
            told = json.loads(base64.urlsafe_b64decode(written + "=" * (-len(written) % 4)))
            changed_at, slug, until = told
            return cls(_parse_time(changed_at), str(slug), _parse_time(until))
        except (binascii.Error, TypeError, ValueError, OverflowError) as error:
            raise RefusedError(400, "This is no cursor. Take the address that “next” tells.") from error


def parse_time(written: str) -> datetime:
    """Return the time of a parameter, in UTC if it has no zone; raise RefusedError if it is invalid."""
    try:
        return _parse_time(written.replace(" ", "+"))  # an unescaped + in a URL is a space
    except (ValueError, OverflowError) as error:
        detail = f"“{written[:60]}” is no day and no time. Write 2026-11-23 or 2026-11-23T14:22:06Z."
        raise RefusedError(400, detail) from error


def _parse_time(written: str) -> datetime:
    """Return a time, or the start of a day, in UTC; raise ValueError or OverflowError if it is invalid."""
    if len(written) <= len("2026-11-23"):
        return datetime.combine(date.fromisoformat(written), time(), UTC)
    parsed = datetime.fromisoformat(written.upper())  # t and z may be in lower case (RFC 3339)
    return parsed.replace(tzinfo=UTC) if parsed.tzinfo is None else parsed.astimezone(UTC)


def changed_events(since: datetime, keys: Sequence[int] | None = None) -> QuerySet[Event]:
    """Return the events that changed since then, the oldest change first, if they are or were public.

    `keys`: only these of the public events.
    """
    shown = Q(state__in=PUBLIC) if keys is None else Q(state__in=PUBLIC, pk__in=keys)
    gone = ~Q(state__in=PUBLIC) & Q(revision__public_at__isnull=False)
    events = Event.objects.filter(shown | gone, revision__changed_at__gte=since)
    return events.order_by("revision__changed_at", "slug")


@endpoint(site_page)
@uses_parameters(*PARAMETERS)
def events(request: HttpRequest) -> EventsData:
    """A page of the public events, searched and filtered as on the home page."""
    asked = choices(request, PARAMETERS)
    limit = int(asked.get("limit", PER_PAGE))
    listing = Listing(asked, limit, is_exact=True)
    if "modified_since" in asked or "cursor" in asked:
        return _modified(request, listing, asked, limit)
    if int(asked.get("page", 1)) > listing.pages:
        pages = "is one page" if listing.pages == 1 else f"are {listing.pages} pages"
        raise RefusedError(404, f"There {pages} of this list.")
    if listing.is_only_shown or not listing.total:
        mark_uncacheable(request)
    return EventsData(
        total=listing.total,
        page=listing.page,
        pages=listing.pages,
        previous=_event_list_url(request, asked, page=listing.page - 1) if listing.page > 1 else None,
        next=_event_list_url(request, asked, page=listing.page + 1) if listing.page < listing.pages else None,
        until=(timezone.now() - OVERLAP).isoformat(),
        epoch=listing.revision.epoch,
        events=briefs_of(listing.keys, request),
        removed=[],
    )


def _modified(request: HttpRequest, listing: Listing, asked: dict[str, str], limit: int) -> EventsData:
    """Return a page of modified events in an order that changes do not disturb.

    An event that changes in between moves to the end and is listed again, so that no event is missed.
    """
    mark_uncacheable(request)
    if "page" in asked:
        raise RefusedError(
            400, "What was modified has no numbered pages. Take the address that “next” tells."
        )
    since, until = parse_time(asked.get("modified_since", EVER)), timezone.now() - OVERLAP
    found = changed_events(since, listing.all_keys)
    if "cursor" in asked:
        cursor = Cursor.read(asked["cursor"])
        until = cursor.until
        level = Q(revision__changed_at=cursor.changed_at, slug__gt=cursor.slug)
        found = found.filter(level | Q(revision__changed_at__gt=cursor.changed_at))
    rows = list(found.values_list("pk", "slug", "state", "revision__changed_at", named=True)[: limit + 1])
    page = rows[:limit]
    following = Cursor(page[-1].revision__changed_at, page[-1].slug, until) if len(rows) > limit else None
    return EventsData(
        total=None,
        page=None,
        pages=None,
        previous=None,
        next=_event_list_url(request, asked, cursor=following.written()) if following else None,
        until=until.isoformat(),
        epoch=listing.revision.epoch,
        events=briefs_of([row.pk for row in page if row.state in PUBLIC], request),
        removed=[
            RemovedEvent(slug=row.slug, modified=row.revision__changed_at.isoformat())
            for row in page
            if row.state not in PUBLIC
        ],
    )


def _event_list_url(request: HttpRequest, asked: dict[str, str], **further: object) -> str:
    query = {**asked, **{name: str(value) for name, value in further.items()}}
    if query.get("page") == "1":
        del query["page"]
    told = {name: query[name] for name in PARAMETERS if name in query}
    return request.build_absolute_uri(reverse("api-events") + (f"?{urlencode(told)}" if told else ""))


def briefs_of(keys: Sequence[int], request: HttpRequest) -> list[EventBrief]:
    """Return short forms of these events in this order; three queries."""
    events = Event.objects.select_related("series").prefetch_related("former_slugs")
    found = with_versions(events).in_bulk(keys)
    entries = entries_in(keys)
    # An event may have been deleted since the keys were read.
    return [_event_brief(found[pk], entries.get(pk, 0), request) for pk in keys if pk in found]


def _event_brief(event: Event, entries: int, request: HttpRequest) -> EventBrief:
    former_slugs = sorted(each.slug for each in event.former_slugs.all())
    return EventBrief.of(event, request, former_slugs=former_slugs, competitors=entries, **times_of(event))


def times_of(event: Event) -> dict[str, str]:
    """Return when an event was modified and added; the event must have its revision.

    Raise Http404 if it has none, as it was deleted a moment ago.
    """
    if event.changed_at is None:
        raise Http404
    # A draft in a preview has not been added yet.
    added = event.public_at or event.changed_at
    return {"modified": event.changed_at.isoformat(), "added": added.isoformat()}


# --- series and congresses --------------------------------------------------------------------------------


@endpoint(site_page)
def series_list(request: HttpRequest) -> SeriesListData:
    """All series, with the number of editions and the winners of the last one that is over."""
    return SeriesListData(series=[_series_brief(row, request) for row in series_rows(site_revision())])


def _series_brief(row: SeriesRow, request: HttpRequest) -> SeriesBrief:
    outcome = row.outcome
    first = outcome and [
        {"place": outcome.places[each.number][0], "number": each.number, "name": each.name}
        for each in outcome.first
    ]
    return SeriesBrief.of(row, request, first=first or [])


@endpoint(site_page)
def series(request: HttpRequest, slug: str) -> SeriesData:
    """A series: its editions with their first three places, the medal table and the all-time table."""
    found = get_object_or_404(Series, slug=slug)
    editions = editions_of(found)
    if not editions:
        raise Http404
    honours = honours_of([edition.event for edition in editions])
    return SeriesData.of(honours, request, slug=found.slug, name=found.name, editions=editions)


@endpoint(site_page)
def congress_list(request: HttpRequest) -> CongressListData:
    """All congresses. A congress is a group of events, its sections."""
    events = Event.objects.filter(state__in=PUBLIC).exclude(congress="").only("congress")
    sections = Counter(event.congress for event in events.order_by("congress"))
    slugs = {slugify(event.congress): event.congress for event in events}
    congresses = [
        CongressBrief.of(None, request, slug=slug, name=name, sections=sections[name])
        for slug, name in sorted(slugs.items())
        if slug
    ]
    return CongressListData(congresses=congresses)


@endpoint(site_page)
def congress(request: HttpRequest, slug: str) -> CongressData:
    """A congress and its sections."""
    name = congress_of(slug)
    if not name:
        raise Http404
    sections = briefs_of([event.pk for event in sections_of_congress(name)], request)
    return CongressData.of(None, request, slug=slug, name=name, sections=sections)
