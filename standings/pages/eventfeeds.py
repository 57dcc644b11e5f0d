"""An event, and one competitor of it, as programs follow them: feeds of results, rounds for a calendar."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from html import unescape

from django.db.models import Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as CalendarEntry

from standings.basis import last_complete_round
from standings.caching.cached_pages import event_page, only_read
from standings.engine import RoundKind
from standings.eventwords import rounds_of
from standings.pages.feeds import Item, atom_of, corrections, last_moment, of_type
from standings.pages.frame import row_of, sheet_of
from standings.pages.livepage import RecordedPairing, matches_in_progress, with_moments
from standings.services import places_after_each_round
from standings.tables.cells import CrosstableRound, RoundCells, rounds_of_competitor
from tournaments.event.choices import Kind
from tournaments.event.dates import day_of, start_of
from tournaments.event.hiddensigns import written_out
from tournaments.models import Change, Event, Game, Pairing, Round
from tournaments.models.pairing import shown_pairings, shown_rounds
from tournaments.models.versioned import past_of

ATOM = "application/atom+xml; charset=utf-8"
CALENDAR = "text/calendar; charset=utf-8"


@only_read
def event_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the rounds of an event and its corrections, as Atom."""
    return of_type(ATOM, _event_feed(request, slug))


@only_read
def competitor_feed(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the results of one competitor, as Atom."""
    return of_type(ATOM, _competitor_feed(request, slug, number))


@only_read
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the rounds of an event that have a date, as iCalendar."""
    return of_type(CALENDAR, _calendar(request, slug))


@event_page
def _event_feed(request: HttpRequest, event: Event) -> HttpResponse:
    items = [*_rounds(event), *corrections(Change.objects.filter(event=event))]
    title = _("%(event)s: results and corrections") % {"event": event.name}
    return atom_of(request, title, title, reverse("event", args=[event.slug]), sorted(items, reverse=True))


def _rounds(event: Event) -> Iterator[Item]:
    """Yield each round that is paired, with the moment of its last result and the matches in progress.

    Three queries, and two more if a match is in progress.
    """
    if not event.knows_results:
        return
    if not event.knows_round_order:
        yield Item(
            last_moment(event.end or event.start),
            _("Results"),
            event.name,
            reverse("rounds", args=[event.slug]),
            "",
        )
        return
    past = past_of(Pairing).objects.filter(round__event=event).exclude(kind=Kind.PENDING)
    recorded = dict(
        past.order_by()
        .values("round__number")
        .annotate(at=Max("history_date"))
        .values_list("round__number", "at")
    )
    running = matches_in_progress(event)
    of_boards = _moments_of_boards(event) if running else {}
    days = dict(shown_rounds(event).values_list("number", "date"))
    for each in rounds_of(event):
        known = {"number": each.number, "known": each.pairings - each.awaited, "all": each.pairings}
        if each.awaited:
            title = _("Round %(number)s: %(known)s of %(all)s in") % known
        else:
            title = _("Round %(number)s: all results are in") % known
        matches = [match for match in running if match.round == each.number]
        moments = [of_boards.get((each.number, match.table)) for match in matches]
        known_moments = [moment for moment in (recorded.get(each.number), *moments) if moment]
        at = max(known_moments, default=None) or last_moment(days[each.number] or event.end or event.start)
        text = ", ".join([event.name, *map(_running_text, matches)])
        yield Item(at, title, text, reverse("round", args=[event.slug, each.number]), "")


def _running_text(match: RecordedPairing) -> str:
    """Return `Reds 2 : 1 Blues (1 board open)`."""
    return f"{match.first.name} {match.result} {match.second.name} ({match.still_open})"


def _moments_of_boards(event: Event) -> dict[tuple[int, int], datetime]:
    """Return by round and table when the last board of each unfinished match was recorded; one query."""
    boards = past_of(Game).objects.filter(pairing__round__event=event, pairing__kind=Kind.PENDING)
    finished = boards.exclude(kind=Kind.PENDING).order_by().values("pairing__round__number", "pairing__table")
    last = finished.annotate(at=Max("history_date"))
    return {
        (number, table): at
        for number, table, at in last.values_list("pairing__round__number", "pairing__table", "at")
    }


@event_page
def _competitor_feed(request: HttpRequest, event: Event, number: int) -> HttpResponse:
    sheet = sheet_of(event, None)
    row = row_of(sheet, number)
    title = _("%(name)s in %(event)s") % {"name": sheet.entries[row].name, "event": event.name}
    words = RoundCells(sheet.entries, str, "", players=not event.is_team)
    of_competitor = Q(first__number=number) | Q(second__number=number)
    met = with_moments(shown_pairings(event).filter(of_competitor))
    moments = dict(met.values_list("round__number", "recorded_at"))
    places = places_after_each_round(event)
    placed = last_complete_round(sheet.standings.table) if places else 0
    rounds = [each for each in rounds_of_competitor(sheet.standings.table, row) if each.table]
    running = [each for each in rounds if each.result.open_boards]
    of_boards = _moments_of_boards(event) if running else {}

    def item(found: CrosstableRound) -> Item:
        title = unescape(words.words(found))
        if event.knows_round_order:
            title = _("round %(number)s: %(words)s") % {"number": found.round, "words": title}
        # Nobody has a place after a round that is not complete.
        place = places[found.round - 1][row] if found.round <= placed else 0
        at = moments.get(found.round) or of_boards.get((found.round, found.table))
        return Item(
            at or last_moment(event.end or event.start),
            capfirst(title),
            _("then place %(place)s") % {"place": place} if place else "",
            reverse("match", args=[event.slug, found.round, found.table]),
            "",
        )

    items = [item(each) for each in rounds if each.result.kind != RoundKind.PENDING or each in running]
    about = reverse("competitor", args=[event.slug, number])
    return atom_of(request, title, title, about, sorted(items, reverse=True))


@event_page
def _calendar(request: HttpRequest, event: Event) -> HttpResponse:
    """Return the rounds whose day is known, else the days of the event; not found without any.

    A round without a time is a whole day, which begins wherever the reader is: no time zone moves it.
    """
    dated = [each for each in shown_rounds(event).order_by("number") if day_of(each.date)]
    start, end = day_of(event.start), day_of(event.end)
    if not dated and not start:
        raise Http404
    told = Calendar()
    told.add("prodid", "-//Crosstable//Rounds//EN")
    told.add("version", "2.0")
    told.add("x-wr-calname", written_out(event.name))
    for each in dated:
        path = reverse("round", args=[event.slug, each.number])
        title = _("%(event)s, round %(number)s") % {"event": event.name, "number": each.number}
        told.add_component(_entry(request, event, title, path, *_times(each, event.time_zone)))
    if start and not dated:
        path = reverse("event", args=[event.slug])
        told.add_component(_entry(request, event, event.name, path, start, _after(end or start)))
    return HttpResponse(told.to_ical())


def _times(round_: Round, zone: str) -> tuple[date, date | None]:
    """Return when a round starts and ends: at a time, or from its day to the day after.

    A time is in UTC, which every calendar turns into the reader's own; without a zone it is as written,
    wherever the reader is. It has no end: how long a round lasts nobody records, and RFC 5545 (3.6.1) lets an
    entry without one end as it starts.
    """
    if starts := start_of(round_.date, round_.time, zone):
        return (starts.astimezone(UTC) if starts.tzinfo else starts), None
    day = date.fromisoformat(round_.date)
    return day, _after(day)


def _after(day: date) -> date:
    """Return the day after, at which RFC 5545 has whole days end."""
    return day + timedelta(days=1)


def _entry(
    request: HttpRequest, event: Event, title: str, path: str, first: date, end: date | None
) -> CalendarEntry:
    """Return an entry from a day or moment on, up to the end where there is one; `path` is its page."""
    entry = CalendarEntry()
    entry.add("uid", f"{path}@{request.get_host()}")
    entry.add("summary", written_out(title))
    entry.add("dtstart", first)
    if end:
        entry.add("dtend", end)
    # No clock: a page is the same bytes for as long as its revision is.
    entry.add("dtstamp", datetime(first.year, first.month, first.day, tzinfo=UTC))
    entry.add("url", request.build_absolute_uri(path))
    if event.place:
        entry.add("location", written_out(event.place))
    return entry
