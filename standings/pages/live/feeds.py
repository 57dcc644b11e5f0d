"""Feeds of an event's results and a competitor's results, and the rounds as a calendar."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any

from django.db.models import Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as CalendarEntry

from standings.basis import last_complete_round
from standings.caching.cached_pages import choices, event_view, site_page, uses_parameters, with_content_type
from standings.engine import RoundKind
from standings.pages.frame import sheet_of
from standings.pages.live.page import matches_in_progress, with_times
from standings.pages.site.feeds import ATOM, Item, atom_of, corrections, last_moment
from standings.services import places_after_each_round, row_of
from standings.tables.cells import CrosstableRound, RoundCells, rounds_of_competitor
from standings.texts import rounds_of
from tournaments.event.choices import PUBLIC, Kind
from tournaments.event.dates import parse_day, start_of
from tournaments.event.hiddensigns import written_out
from tournaments.models import Change, Event, Pairing, Round
from tournaments.models.pairing import dated_rounds, public_pairings, public_rounds
from tournaments.models.versioned import past_of


@with_content_type(ATOM)
@event_view
def event_feed(request: HttpRequest, event: Event) -> HttpResponse:
    items = [*_round_items(event), *corrections(Change.objects.filter(event=event))]
    title = _("%(event)s: results and corrections") % {"event": event.name}
    return atom_of(request, title, title, reverse("event", args=[event.slug]), sorted(items, reverse=True))


def _round_items(event: Event) -> Iterator[Item]:
    """Yield the paired rounds with the time of the last result, and matches in progress.

    Three queries, and six more if a match is in progress.
    """
    if not event.knows_results:
        return
    if not event.knows_round_order:
        yield Item(
            last_moment(event.end or event.start),
            _("Results"),
            event.name,
            reverse("rounds", args=[event.slug]),
        )
        return
    past = past_of(Pairing).objects.filter(round__event=event).exclude(kind=Kind.PENDING)
    recorded = dict(
        past.order_by()
        .values("round__number")
        .annotate(at=Max("history_date"))
        .values_list("round__number", "at")
    )
    running, of_boards = matches_in_progress(event)
    days = dict(public_rounds(event).values_list("number", "date"))
    for progress in rounds_of(event):
        values = {
            "number": progress.number,
            "known": progress.pairings - progress.awaited,
            "all": progress.pairings,
        }
        if progress.awaited:
            title = _("Round %(number)s: %(known)s of %(all)s in") % values
        else:
            title = _("Round %(number)s: all results are in") % values
        matches = [match for match in running if match.round == progress.number]
        moments = [of_boards.get((progress.number, match.table)) for match in matches]
        known_moments = [moment for moment in (recorded.get(progress.number), *moments) if moment]
        at = max(known_moments, default=None) or last_moment(
            days[progress.number] or event.end or event.start
        )
        scores = (
            f"{match.first.name} {match.score} {match.second.name} ({match.state})"
            for match in matches
            if match.second
        )
        text = ", ".join([event.name, *scores])
        yield Item(at, title, text, reverse("round", args=[event.slug, progress.number]))


@with_content_type(ATOM)
@event_view
def competitor_feed(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    sheet = sheet_of(event, None)
    row = row_of(sheet.entries, number)
    title = _("%(name)s in %(event)s") % {"name": sheet.entries[row].name, "event": event.name}
    words = RoundCells(sheet.entries, str, "", players=not event.is_team)
    of_competitor = Q(first__number=number) | Q(second__number=number)
    met = with_times(public_pairings(event).filter(of_competitor))
    moments = dict(met.values_list("round__number", "recorded_at"))
    places = places_after_each_round(event)
    placed = last_complete_round(sheet.standings.table) if places else 0
    rounds = [pairing for pairing in rounds_of_competitor(sheet.standings.table, row) if pairing.table]
    of_boards = matches_in_progress(event)[1]

    def item(pairing: CrosstableRound) -> Item:
        title = unescape(words.words(pairing))
        if event.knows_round_order:
            title = _("round %(number)s: %(words)s") % {"number": pairing.round, "words": title}
        # There are no places after an incomplete round.
        place = places[pairing.round - 1][row] if pairing.round <= placed else 0
        at = moments.get(pairing.round) or of_boards.get((pairing.round, pairing.table))
        return Item(
            at or last_moment(event.end or event.start),
            capfirst(title),
            _("then place %(place)s") % {"place": place} if place else "",
            reverse("match", args=[event.slug, pairing.round, pairing.table]),
        )

    items = [item(one) for one in rounds if one.result.open_boards or one.result.kind != RoundKind.PENDING]
    about = reverse("competitor", args=[event.slug, number])
    return atom_of(request, title, title, about, sorted(items, reverse=True))


@with_content_type("text/calendar; charset=utf-8")
@event_view
def calendar(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the rounds with a known day, else the days of the event; Http404 if no day is known."""
    entries = list(_calendar_entries(request, [event]))
    if not entries:
        raise Http404
    return _calendar(event.name, entries)


@with_content_type("text/calendar; charset=utf-8")
@site_page
@uses_parameters("events")
def calendar_of_events(request: HttpRequest) -> HttpResponse:
    """Return the rounds of these events; empty if none is public, so that subscriptions continue."""
    slugs = choices(request).get("events", "").split(",")
    events = Event.objects.filter(slug__in=slugs, state__in=PUBLIC).order_by("start", "slug")
    return _calendar(_("Rounds"), list(_calendar_entries(request, events)))


def _calendar(name: str, entries: list[CalendarEntry]) -> HttpResponse:
    rounds = Calendar()
    rounds.add("prodid", "-//Crosstable//Rounds//EN")
    rounds.add("version", "2.0")
    rounds.add("x-wr-calname", written_out(name))
    for entry in entries:
        rounds.add_component(entry)
    return HttpResponse(rounds.to_ical())


def _calendar_entries(request: HttpRequest, events: Iterable[Event]) -> Iterator[CalendarEntry]:
    """Yield the entries; a round without a time is an all-day entry, which no time zone moves."""
    rounds: list[Any] = list(dated_rounds(*events).order_by("number"))
    for event in events:
        dated = [each for each in rounds if each.event_id == event.pk and parse_day(each.date)]
        for round_ in dated:
            path = own = reverse("round", args=[event.slug, round_.number])
            if not round_.is_paired:
                path = reverse("rounds", args=[event.slug])
            title = _("%(event)s, round %(number)s") % {"event": event.name, "number": round_.number}
            yield _calendar_entry(request, event, title, path, *_start_and_end(round_, event.time_zone), own)
        start, end = parse_day(event.start), parse_day(event.end)
        if start and not dated:
            path = reverse("event", args=[event.slug])
            yield _calendar_entry(request, event, event.name, path, start, _day_after(end or start))


def _start_and_end(round_: Round, zone: str) -> tuple[date, date | None]:
    """Return the start and end of a round; the end is None if the round has a time.

    A time is in UTC, or without a zone if the event's is not known. The duration of a round is not recorded,
    and RFC 5545 (3.6.1) allows entries without an end.
    """
    if starts := start_of(round_.date, round_.time, zone):
        return (starts.astimezone(UTC) if starts.tzinfo else starts), None
    day = date.fromisoformat(round_.date)
    return day, _day_after(day)


def _day_after(day: date) -> date:
    """Return the next day, the exclusive end of an all-day entry in RFC 5545."""
    return day + timedelta(days=1)


def _calendar_entry(
    request: HttpRequest, event: Event, title: str, path: str, first: date, end: date | None, own: str = ""
) -> CalendarEntry:
    entry = CalendarEntry()
    # The UID of a round stays when it gets a page of its own.
    entry.add("uid", f"{own or path}@{request.get_host()}")
    entry.add("summary", written_out(title))
    entry.add("dtstart", first)
    if end:
        entry.add("dtend", end)
    # Not the current time: pages of the same revision are identical.
    entry.add("dtstamp", datetime(first.year, first.month, first.day, tzinfo=UTC))
    entry.add("url", request.build_absolute_uri(path))
    if event.place:
        entry.add("location", written_out(event.place))
    return entry
