"""Texts in the active language: criteria, systems, explanations, and the properties and dates of events."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.formats import date_format, get_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from standings.engine import (
    SYSTEMS,
    Criterion,
    CriterionColumn,
    Family,
    Phrase,
    Scale,
    fraction_text,
    get_criterion,
)
from tournaments.event.choices import Delay, Kind, OfficialRole, RatedAs, RatingsFrom
from tournaments.event.dates import is_date, last_day_of, parse_day, zone_of
from tournaments.event.federations import Federation
from tournaments.event.moves import last_move
from tournaments.event.numbers import points_text
from tournaments.event.officials import of_role
from tournaments.event.reuse import doi_address, licence_of
from tournaments.event.scores import listed_text
from tournaments.interchange.ratinglists.players import SOURCES, source_of
from tournaments.models import Change, Event, Override, Round
from tournaments.models.pairing import public_rounds, without_result
from tournaments.texts import DISCIPLINES, SCHEDULES, criterion_name, localized, name_of_system

POINTS = {
    None: pgettext_lazy("of a score", "points"),
    Scale.MATCH: gettext_lazy("match points"),
    Scale.GAME: gettext_lazy("game points"),
}
ROUNDS = {
    None: pgettext_lazy("some of all", "rounds"),
    Scale.MATCH: pgettext_lazy("some of all", "rounds"),
    Scale.GAME: pgettext_lazy("some of all", "boards"),
}
"""Unit that a code of boards counts, and any other."""

KINDS = {
    Kind.BYE: gettext_lazy("bye"),
    Kind.HALF_BYE: gettext_lazy("half-point bye"),
    Kind.ZERO_BYE: gettext_lazy("zero-point bye"),
    Kind.ABSENT: gettext_lazy("absent"),
    Kind.PENDING: gettext_lazy("not yet played"),
    Kind.UNKNOWN: gettext_lazy("result unknown"),
}
"""Names of pairings without a result."""

KINDS_OF_RATING: dict[str, str | Promise] = {
    RatedAs.STANDARD: gettext_lazy("standard play"),
    RatedAs.RAPID: gettext_lazy("rapid play"),
    RatedAs.BLITZ: gettext_lazy("blitz"),
}
OTHER_LIST = gettext_lazy("another list, such as a national one")

EN_DASH = "–"


class CriterionTexts(NamedTuple):
    """A translated criterion. Templates need it because they would call a criterion object."""

    code: str
    address: str
    name: str
    abbr: str
    rule: str
    source: str

    @property
    def page(self) -> str:
        """Return the URL of the criterion's page; our criteria share a page for both scores."""
        criterion = get_criterion(self.code)
        return reverse("criterion", args=[criterion.address if criterion.is_fide else criterion.plain_code])

    @property
    def meaning(self) -> str:
        return criterion_phrase(get_criterion(self.code))


def criterion_texts(criterion: Criterion) -> CriterionTexts:
    """Return the translated criterion; abbreviations and sources are the same in all languages."""
    rule = _(criterion.rule)
    return CriterionTexts(
        criterion.code, criterion.address, criterion_name(criterion), criterion.abbr, rule, criterion.source
    )


def criterion_phrase(criterion: Criterion, primary: Scale | None = None) -> str:
    """Return the values of a criterion as a noun phrase in lower case, in the active language.

    `primary` is the score that decides first in a team event. Without it, the phrase is about points.
    """
    scale = criterion.scale or primary
    # Criteria with a score or with modifiers use the phrase of the plain code.
    phrase = _(get_criterion(criterion.plain_code).meaning) % {
        "points": POINTS[scale],
        "rounds": ROUNDS[criterion.scale],
        "limit": _limit_text(criterion),
    }
    return ", ".join((phrase, *_modifier_texts(criterion)))


def _limit_text(criterion: Criterion) -> str:
    modifiers = criterion.modifiers
    if modifiers is None or not (modifiers.steps or "/L" in criterion.code):
        return _("50 per cent of the maximum")
    if modifiers.steps > 0:
        return _("50 per cent of the maximum and %(points)s more") % {"points": points_text(modifiers.steps)}
    if modifiers.steps:
        return _("50 per cent of the maximum less %(points)s") % {"points": points_text(-modifiers.steps)}
    return _("%(limit)s %% of the maximum") % {"limit": modifiers.limit}


def _modifier_texts(criterion: Criterion) -> Iterator[str]:
    modifiers = criterion.modifiers
    if modifiers is None:
        return
    if modifiers.low:
        single, several = _cut_templates(criterion, modifiers.high)
        yield str(single if modifiers.low == 1 else several % {"count": modifiers.low})
    if modifiers.divisor:
        yield _("divided by %(divisor)s") % {"divisor": modifiers.divisor}
    if modifiers.as_paired:
        yield _("forfeits counted as games")
    if modifiers.fore:
        yield _("as if all games of the last round were drawn")
    if modifiers.reverse:
        yield _("in reversed order")


def _cut_templates(criterion: Criterion, high: int) -> tuple[Promise, Promise]:
    """Return the texts for one round and for several rounds left out.

    "The weakest" instead of "the lowest", because a voluntarily unplayed round is cut first (C.07 16.5).
    """
    if criterion.family is Family.OWN:  # progressive scores (7.5)
        return gettext_lazy("without the first round"), gettext_lazy("without the first %(count)s rounds")
    if high:
        return (
            gettext_lazy("without the strongest and the weakest"),
            gettext_lazy("without the %(count)s strongest and the %(count)s weakest"),
        )
    if criterion.family is Family.SONNEBORN:
        return (
            gettext_lazy("without the weakest opponent"),
            gettext_lazy("without the %(count)s weakest opponents"),
        )
    return gettext_lazy("without the weakest"), gettext_lazy("without the %(count)s weakest")


def name_of_federation(bearer: Federation) -> str:
    return pgettext("federation", bearer.name)


def translated(text: str) -> str:
    """Return a translated text of the engine; other strings, such as names, are returned unchanged."""
    if not isinstance(text, Phrase):
        return text
    # The catalogue contains the template, not the formatted text.
    template = ngettext(text.template, text.plural, text.number) if text.plural else _(text.template)
    parts = {name: translated(part) if isinstance(part, str) else part for name, part in text.parts.items()}
    return template % parts if parts else template


def values_of(column: CriterionColumn) -> list[str]:
    """Return the texts of a column's cells. Names of competitors are not translated."""
    # The engine formats a column at once; cells are only processed for another decimal separator.
    if get_format("DECIMAL_SEPARATOR") == ".":
        return column.texts
    return [value_of(column, row) for row in range(len(column.texts))]


def value_of(column: CriterionColumn, row: int) -> str:
    text = column.text(row)
    return text if column.criterion.within_tie else localized(text)


@dataclass(frozen=True)
class RoundProgress:
    number: int
    date: str
    has_time: bool
    pairings: int
    awaited: int
    open: bool


def discipline_name(event: Event) -> str:
    return str(DISCIPLINES.get(event.discipline, event.discipline))


def kind_name(kind: str, delayed: str = "", moves: str = "") -> str:
    """Return a pairing without a result: `bye`, `postponed`, `in progress: 23... Nf6 (0:41 – 0:38)`."""
    move, clocks = last_move(moves)
    if kind == Kind.PENDING and not delayed and move:
        return _("in progress: %(move)s") % {"move": f"{move} ({clocks})" if clocks else move}
    return str(Delay(delayed).label if delayed else KINDS[Kind(kind)])


def schedule_text(event: Event) -> str:
    """Return the schedule as `Swiss, 11 rounds, 4 boards`; without rounds if their number is unknown.

    The import of a published ranking derives schedule and scoring, so texts omit them.
    """
    parts = [str(SCHEDULES[Event.Schedule(event.schedule)])] if event.knows_results else []
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
    parts = (entrants_text(event, entries) if entries else "", schedule_text(event))
    return [*filter(None, parts)]


def properties_of(event: Event, *, ruled: bool = False) -> list[tuple[str, str]]:
    """Return the properties on the event's page. `ruled`: an arbiter changed the criteria."""
    licence = licence_of(event.licence)
    properties = (
        (_("Discipline"), discipline_name(event)),
        (_("Schedule"), schedule_text(event)),
        (_("Scoring"), scoring_text(event) if event.knows_results else ""),
        (_("Time control"), event.time_control or event.time_code),
        (_("Rated as"), str(KINDS_OF_RATING[RatedAs(event.rated_as)]) if event.rated_as else ""),
        (_("Ratings from"), _rating_list_text(event)),
        (_("Arbiters"), _arbiters_text(event)),
        (_("Ranking system"), system_name(event, ruled=ruled)),
        (_("Licence"), _optional_link(licence.text or _("not stated"), licence.address)),
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


def _optional_link(text: str, address: str) -> str:
    return format_html('<a href="{}">{}</a>', address, text) if address else text


def _arbiters_text(event: Event) -> str:
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


def day_text(text: str) -> str:
    """Return `24 September 2018`; a year, or an invalid date, is returned unchanged."""
    day = parse_day(text)
    return date_format(day) if day else text


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
        _latest_value(public_rounds(OuterRef("pk")).filter(pairings__isnull=False), "date"),
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
    awaited = Count("pairings", filter=without_result("pairings__"))
    # A single query. Readers do not see rounds without pairings.
    rounds = public_rounds(event).annotate(anything=Count("pairings"), matches=matches, awaited=awaited)
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
