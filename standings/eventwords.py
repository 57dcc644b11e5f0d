"""Texts about an event: its properties, dates, schedule and scoring."""

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from standings.engine import SYSTEMS, fraction_text
from standings.words import name_of_system
from tournaments.event.choices import Kind, OfficialRole, RatedAs, RatingsFrom
from tournaments.event.dates import is_date, last_day_of, parse_day
from tournaments.event.officials import of_role
from tournaments.event.reuse import doi_address, licence_of
from tournaments.event.scores import listed_text
from tournaments.event.times import zone_of
from tournaments.interchange.ratinglists.players import SOURCES, source_of
from tournaments.models import Change, Event, Override, Round
from tournaments.models.pairing import shown_rounds
from tournaments.texts import SCHEDULES

DISCIPLINES: dict[str, str | Promise] = {
    "chess": gettext_lazy("chess"),
    "draughts-100": gettext_lazy("international draughts"),
    "draughts-64": gettext_lazy("draughts-64"),
    "frisian": gettext_lazy("Frisian draughts"),
}
KINDS = {
    Kind.BYE: gettext_lazy("bye"),
    Kind.HALF_BYE: gettext_lazy("half-point bye"),
    Kind.ZERO_BYE: gettext_lazy("zero-point bye"),
    Kind.ABSENT: gettext_lazy("absent"),
    Kind.PENDING: gettext_lazy("not yet played"),
    Kind.UNKNOWN: gettext_lazy("result unknown"),
}
"""Names of pairings without a result."""

KINDS_OF_RATING = {
    RatedAs.STANDARD: gettext_lazy("standard play"),
    RatedAs.RAPID: gettext_lazy("rapid play"),
    RatedAs.BLITZ: gettext_lazy("blitz"),
}
OTHER_LIST = gettext_lazy("another list, such as a national one")

EN_DASH = "–"


@dataclass(frozen=True)
class RoundProgress:
    number: int
    date: str
    has_time: bool
    pairings: int
    awaited: int
    open: bool


def discipline_name(event: Event) -> str:
    """Return the discipline's name; an unknown code is returned unchanged."""
    return str(DISCIPLINES.get(event.discipline, event.discipline))


def kind_name(kind: str) -> str:
    """Return the name of a pairing without a result: `bye`, `not yet played`."""
    return str(KINDS[Kind(kind)])


def schedule_text(event: Event) -> str:
    """Return the schedule as `Swiss, 11 rounds, 4 boards`; without rounds if their number is unknown."""
    parts = [str(SCHEDULES[Event.Schedule(event.schedule)])]
    if event.knows_round_order:
        rounds = ngettext("%(count)s round", "%(count)s rounds", event.planned_rounds)
        parts.append(rounds % {"count": event.planned_rounds})
    if event.boards:
        parts.append(ngettext("%(count)s board", "%(count)s boards", event.boards) % {"count": event.boards})
    return ", ".join(parts)


def entrants_text(event: Event, entries: int) -> str:
    if event.is_team:
        return ngettext("%(count)s team", "%(count)s teams", entries) % {"count": entries}
    return ngettext("%(count)s player", "%(count)s players", entries) % {"count": entries}


def scoring_text(event: Event) -> str:
    """Return `1-½-0 a game, 2-1-0 a match`."""
    game = "-".join(fraction_text(points, 2) for points in (event.game_win, event.game_draw, event.game_loss))
    if event.game_results:
        game = listed_text(event)
    match = "-".join(
        fraction_text(points, 2) for points in (event.match_win, event.match_draw, event.match_loss)
    )
    if event.is_team:
        return _("%(game)s a game, %(match)s a match") % {"game": game, "match": match}
    return _("%(game)s a game") % {"game": game}


def system_name(event: Event, *, ruled: bool = False) -> str:
    """Return the name of the ranking system, with a star if an arbiter changed its criteria."""
    if not event.knows_results:
        return _("as published")
    return name_of_system(SYSTEMS[event.system]) + ("*" if ruled else "")


def entrants_and_schedule(event: Event, entries: int | None) -> list[str]:
    """Return the line below the event's name: number of participants, and the schedule."""
    return [*([entrants_text(event, entries)] if entries else []), schedule_text(event)]


def properties_of(event: Event, *, ruled: bool = False) -> list[tuple[str, str]]:
    """Return the properties on the event's page. `ruled`: an arbiter changed the criteria."""
    properties = (
        (_("Discipline"), discipline_name(event)),
        (_("Schedule"), schedule_text(event)),
        (_("Scoring"), scoring_text(event)),
        (_("Time control"), event.time_control or event.time_code),
        (_("Rated as"), str(KINDS_OF_RATING[RatedAs(event.rated_as)]) if event.rated_as else ""),
        (_("Ratings from"), _rating_list_text(event)),
        (_("Arbiters"), _arbiters_text(event)),
        (_("Ranking system"), system_name(event, ruled=ruled)),
        (_("Licence"), _licence_text(event)),
        ("DOI", _optional_link(event.doi, doi_address(event.doi))),
    )
    return [(name, text) for name, text in properties if text]


def _rating_list_text(event: Event) -> str:
    if event.ratings_from == RatingsFrom.LOCAL:
        return str(OTHER_LIST)
    if not event.ratings_from:
        return ""
    values = {"source": SOURCES[source_of(event.discipline)]}
    named = {
        RatingsFrom.STANDARD: _("%(source)s, standard play"),
        RatingsFrom.RAPID: _("%(source)s, rapid play"),
        RatingsFrom.BLITZ: _("%(source)s, blitz"),
    }
    return named[RatingsFrom(event.ratings_from)] % values


def _licence_text(event: Event) -> str:
    licence = licence_of(event.licence)
    return _optional_link(licence.text or _("not stated"), licence.address)


def _optional_link(text: str, address: str) -> str:
    return format_html('<a href="{}">{}</a>', address, text) if address else text


def _arbiters_text(event: Event) -> str:
    """Return the chief arbiter, the deputies and the others by title and name."""
    offices = (OfficialRole.CHIEF, OfficialRole.DEPUTY, OfficialRole.ARBITER)
    names = (each for office in offices for each in of_role(event.officials, office))
    return ", ".join(f"{each['title']} {each['name']}".strip() for each in names)


def dates_text(event: Event) -> str:
    """Return `24 September – 5 October 2018`, `1948`; empty if the dates are unknown."""
    if not event.start or event.start == event.end or not event.end:
        return day_text(event.start)
    start, end = parse_day(event.start), parse_day(event.end)
    if start is None or end is None:
        return f"{day_text(event.start)}{EN_DASH}{day_text(event.end)}"
    # The common part of both days is printed once.
    if start.year != end.year:
        return f"{date_format(start)} {EN_DASH} {date_format(end)}"
    if start.month != end.month:
        return f"{date_format(start, 'MONTH_DAY_FORMAT')} {EN_DASH} {date_format(end)}"
    return f"{start.day}{EN_DASH}{date_format(end)}"


def day_text(written: str) -> str:
    """Return `24 September 2018`; a year, or an invalid date, is returned unchanged."""
    day = parse_day(written)
    return date_format(day) if day else written


def zone_text(event: Event) -> str:
    """Return `America/New York`; empty if the time zone is unknown."""
    return event.time_zone.replace("_", " ")


def day_and_time_text(round_: Round, zone: str = "") -> str:
    """Return the known parts of `24 September 2018, 14:00 (Europe/Amsterdam)`.

    `zone` is the name of the event's time zone, or empty if it is printed elsewhere on the page.
    """
    day = day_text(round_.date)
    if not round_.time:
        return day
    return f"{day}, {round_.time} ({zone})" if zone else f"{day}, {round_.time}"


def last_recorded_day(event: Event) -> str:
    """Return the last day in the record, `2018-10-05` or `1948`; empty if there is none. One query.

    These are the days of paired rounds, corrections and rulings, and the last day of a finished event.
    """
    latest = (
        _latest_value(shown_rounds(OuterRef("pk")).filter(pairings__isnull=False), "date"),
        _latest_value(Change.objects.filter(event=OuterRef("pk")), "at"),
        _latest_value(Override.objects.filter(event=OuterRef("pk")), "at"),
    )
    found = Event.objects.filter(pk=event.pk).order_by().values_list(*latest)
    round_, *moments = next(iter(found), ("", None, None))
    zone = zone_of(event.time_zone)
    # The last day of a live event is in the future.
    day = event.start if event.state == Event.State.LIVE else event.end or event.start
    days = [day, round_ or "", *(each.astimezone(zone).date().isoformat() for each in moments if each)]
    return max(filter(is_date, days), key=lambda day: last_day_of(day) or date.min, default="")


def _latest_value(rows: QuerySet[Any], field: str) -> Subquery:
    return Subquery(rows.order_by(f"-{field}").values(field)[:1])


def rounds_of(event: Event) -> list[RoundProgress]:
    """Return the paired rounds with their numbers of missing results; one query."""
    matches = Count("pairings", filter=Q(pairings__second__isnull=False))
    awaited = Count("pairings", filter=Q(pairings__kind=Kind.PENDING))
    # A single query. Readers do not see rounds without pairings.
    rounds = shown_rounds(event).annotate(anything=Count("pairings"), matches=matches, awaited=awaited)
    return [
        RoundProgress(
            number=each.number,
            date=day_and_time_text(each),
            has_time=bool(each.time),
            pairings=each.matches,
            awaited=each.awaited,
            open=not each.is_closed,
        )
        for each in rounds.filter(anything__gt=0).order_by("number")
    ]
