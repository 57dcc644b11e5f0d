"""What an event is, in the words its pages print."""

from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q
from django.utils.formats import date_format

from standings.engine import SYSTEMS, points_text
from tournaments.models import Event, Kind, Round

DISCIPLINES = {
    "chess": "chess",
    "draughts-100": "international draughts",
    "draughts-64": "draughts-64",
    "frisian": "Frisian draughts",
}
PUBLIC = (Event.State.LIVE, Event.State.FINAL, Event.State.ARCHIVED)
EN_DASH = "–"


@dataclass(frozen=True)
class RoundFacts:
    """One round, and how far it has come."""

    number: int
    date: str
    pairings: int
    awaited: int


def discipline_name(event: Event) -> str:
    """The discipline's name; a code nobody knows stands for itself."""
    return DISCIPLINES.get(event.discipline, event.discipline)


def schedule_text(event: Event) -> str:
    """`Swiss, 11 rounds, 4 boards`."""
    rounds = f"{event.planned_rounds} round{'s' * (event.planned_rounds != 1)}"
    boards = f", {event.boards} boards" if event.boards else ""
    return f"{event.get_schedule_display()}, {rounds}{boards}"


def scoring_text(event: Event) -> str:
    """`1-½-0 a game, 2-1-0 a match`."""
    game = "-".join(points_text(points, 2) for points in (event.game_win, event.game_draw, event.game_loss))
    match = "-".join(
        points_text(points, 2) for points in (event.match_win, event.match_draw, event.match_loss)
    )
    return f"{game} a game, {match} a match" if event.is_team else f"{game} a game"


def system_name(event: Event) -> str:
    """The name of the ranking system."""
    return SYSTEMS[event.system].name


def brief_facts(event: Event, entries: int | None) -> list[str]:
    """The line below the event's name: how many take part, and in what."""
    return [f"{entries} {event.entrants}", schedule_text(event)] if entries else [schedule_text(event)]


def about_event(event: Event) -> list[tuple[str, str]]:
    """What the event's page says of it, name by name."""
    facts = (
        ("Discipline", discipline_name(event)),
        ("Schedule", schedule_text(event)),
        ("Scoring", scoring_text(event)),
        ("Ranking system", system_name(event)),
        ("Licence", event.licence),
    )
    return [(name, text) for name, text in facts if text]


def dates_text(event: Event) -> str:
    """`24 September – 5 October 2018`, `1948`; empty where nothing is known."""
    if not event.start or event.start == event.end or not event.end:
        return day_text(event.start)
    if len(event.start) == 4 or len(event.end) == 4:
        return f"{day_text(event.start)}{EN_DASH}{day_text(event.end)}"
    start, end = date.fromisoformat(event.start), date.fromisoformat(event.end)
    if start.year != end.year:
        return f"{date_format(start, 'j F Y')} {EN_DASH} {date_format(end, 'j F Y')}"
    if start.month != end.month:
        return f"{date_format(start, 'j F')} {EN_DASH} {date_format(end, 'j F Y')}"
    return f"{date_format(start, 'j')}{EN_DASH}{date_format(end, 'j F Y')}"


def day_text(written: str) -> str:
    """`24 September 2018`, or the year alone; empty where nothing is known."""
    return date_format(date.fromisoformat(written), "j F Y") if len(written) > 4 else written


def rounds_of(event: Event) -> list[RoundFacts]:
    """The rounds that are paired, and how many results each still awaits; one query."""
    matches = Count("pairings", filter=Q(pairings__second__isnull=False))
    awaited = Count("pairings", filter=Q(pairings__kind=Kind.PENDING))
    rounds = Round.objects.filter(event=event).annotate(
        anything=Count("pairings"), matches=matches, awaited=awaited
    )
    found = (
        rounds.filter(anything__gt=0).order_by("number").values_list("number", "date", "matches", "awaited")
    )
    return [RoundFacts(number, day_text(day), paired, waiting) for number, day, paired, waiting in found]
