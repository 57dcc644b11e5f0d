"""Missing data in a report for rating, reported before it is sent.

FIDE requires place, federation, dates and chief arbiter of the event, and id, federation, sex and birth of
each player (TRF26, column R). Rating officers request the rest.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from tournaments.event.choices import OVER, OfficialRole
from tournaments.event.dates import parse_day
from tournaments.event.document import CompetitorEntry, Document, PlayerEntry
from tournaments.event.officials import of_role


class Mended(StrEnum):
    """The screens for entering missing data."""

    SETTINGS = "settings"
    ROUNDS = "rounds"
    COMPETITORS = "competitors"
    PUBLICATION = "publication"


@dataclass(frozen=True, slots=True)
class ReportGap:
    """Missing data: its kind, the screen to enter it, and the competitors by number and name.

    `is_needed`: a report without it is rejected.
    """

    text: str
    where: Mended
    is_needed: bool = True
    who: tuple[tuple[int, str], ...] = ()


Person = CompetitorEntry | PlayerEntry


def report_gaps(document: Document) -> list[ReportGap]:
    """Return the missing data before the event can be sent for rating, required data first."""
    gaps = [*_gaps_of_event(document), *_gaps_of_rounds(document), *_of_people(document)]
    return sorted(gaps, key=lambda gap: not gap.is_needed)


def _gaps_of_event(document: Document) -> Iterator[ReportGap]:
    event = document.event
    missing = {
        _("The place is missing."): event.place,
        _("The federation of the place is missing."): event.country,
        _("The day of the start is missing."): parse_day(event.start),
        _("The day of the end is missing."): parse_day(event.end),
        _("The chief arbiter is missing."): of_role(event.officials, OfficialRole.CHIEF),
        _("The time control is missing."): event.time_control or event.time_code,
    }
    yield from (ReportGap(text, Mended.SETTINGS) for text, value in missing.items() if not value)
    arbiters = (OfficialRole.CHIEF, OfficialRole.DEPUTY, OfficialRole.ARBITER)
    without = [each["name"] for each in event.officials if each["role"] in arbiters and not each["fide_id"]]
    if without:
        text = _("Without a FIDE id: %(names)s.") % {"names": ", ".join(without)}
        yield ReportGap(text, Mended.SETTINGS, is_needed=False)
    if not event.rated_as:
        text = _("The rating list for these games is missing: standard, rapid or blitz.")
        yield ReportGap(text, Mended.SETTINGS, is_needed=False)


def _gaps_of_rounds(document: Document) -> Iterator[ReportGap]:
    event = document.event
    paired = sum(bool(each.pairings) for each in document.rounds)
    if paired < event.planned_rounds:
        told = {"there": paired, "planned": event.planned_rounds}
        yield ReportGap(_("%(there)s of %(planned)s rounds are there.") % told, Mended.ROUNDS)
    open_ = {number for number, _pairing in document.without_result()}
    open_ |= {number for number, pairing in document.pairings() if pairing.kind == "unknown"}
    if open_:
        text = _("Results are missing in round %(rounds)s.") % {"rounds": _listed_rounds(open_)}
        yield ReportGap(text, Mended.ROUNDS)
    undated = {each.number for each in document.rounds if not parse_day(each.date)}
    if undated:
        yield ReportGap(
            _("The day is missing of round %(rounds)s.") % {"rounds": _listed_rounds(undated)}, Mended.ROUNDS
        )
    outside = {
        each.number
        for each in document.rounds
        if parse_day(each.date) and not (event.start <= each.date <= (event.end or each.date))
    }
    if outside and parse_day(event.start):
        text = _("Not between the first and the last day of the event: round %(rounds)s.")
        yield ReportGap(text % {"rounds": _listed_rounds(outside)}, Mended.ROUNDS)
    if event.state not in OVER:
        text = _("The event is not declared final: the report has the days of its rounds only then.")
        yield ReportGap(text, Mended.PUBLICATION, is_needed=False)


def _listed_rounds(numbers: set[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def _of_people(document: Document) -> Iterator[ReportGap]:
    people: list[tuple[int, Person]] = [
        (each.number, person)
        for each in document.competitors
        for person in (each.players if document.event.is_team else (each,))
    ]
    asked: tuple[tuple[str, Callable[[Person], object], bool], ...] = (
        (_("Without a FIDE id:"), lambda each: each.fide_id, True),
        (_("Without a year of birth:"), lambda each: each.born, True),
        (_("Without a sex:"), lambda each: each.sex, True),
        (_("Surname and given name are not parted by a comma:"), lambda each: "," in each.name, False),
    )
    for text, has, is_needed in asked:
        if who := tuple((number, each.name) for number, each in people if not has(each)):
            yield ReportGap(text, Mended.COMPETITORS, is_needed, who)
    if not document.event.is_team:
        who = tuple((each.number, each.name) for each in document.competitors if not (each.code or each.flag))
        if who:
            yield ReportGap(_("Without a federation:"), Mended.COMPETITORS, who=who)
    counts = Counter(each.fide_id for _number, each in people if each.fide_id)
    twice = tuple((number, each.name) for number, each in people if counts[each.fide_id or 0] > 1)
    if twice:
        yield ReportGap(_("The same FIDE id twice:"), Mended.COMPETITORS, who=twice)
