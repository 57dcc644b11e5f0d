"""Editions of a series from a list, with the settings of one that is there. All of them are made, or none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from standings.engine import edition_of
from tournaments.event.dates import ends_before, is_date
from tournaments.event.document import Document, EventEntry
from tournaments.event.federations import federation
from tournaments.models import Event, FormerSlug
from tournaments.recording.backups import store_draft
from tournaments.recording.events import address_for
from tournaments.recording.pastedlist import PastedLine, PastedList
from tournaments.recording.refusal import Refused, prose
from tournaments.recording.rules import unruled
from tournaments.recording.systems import FIDE_POLICIES
from tournaments.recording.turns import saving
from tournaments.stored import stored

ORDER = ("year", "name", "place", "country", "start", "end", "rounds")
"""What a line says, in this order; what is not known is left out or empty."""

LONGEST = {"name": 200, "place": 120}
LONGEST_LINE = 1_000
MOST_ROUNDS = 200
MOST_EDITIONS = 300


@dataclass(frozen=True, slots=True)
class EditionLine(PastedLine):
    """A line of a list of editions as it was read.

    `bearer` is whose code the country is, blank for nobody's. `rounds` is None where those of the
    copied edition stay.
    """

    slug: str = ""
    name: str = ""
    place: str = ""
    country: str = ""
    bearer: str = ""
    start: str = ""
    end: str = ""
    rounds: int | None = None


class EditionList(PastedList[EditionLine]):
    """A list of editions, line by line; blank lines are left out."""


def read_editions(event: Event, text: str) -> EditionList:
    """Return the editions that would be made with the settings of this one; two queries.

    A line is `year; name; place; country; first day; last day; rounds`, between semicolons or tabs. Without a
    name the edition is called as the series, with its year. Refused where the event is of no series.
    """
    if event.series is None:
        raise Refused(_("This event is of no series. Choose one in its settings first."))
    series = event.series.name
    lines = enumerate(text.splitlines(), start=1)
    read = (_read(at, line[:LONGEST_LINE], series) for at, line in lines if line.strip("; \t\xa0"))
    return EditionList(tuple(_addressed(read)))


def create_editions(event: Event, text: str, by: User) -> EditionList:
    """Make the editions as drafts without competitors; their arbiters are those of the event, and `by`.

    All or nothing: Refused with the first line that has a fault, or where there is none.
    """
    with saving():
        drafts = read_editions(event, text)
        if not 0 < len(drafts.lines) <= MOST_EDITIONS:
            raise Refused(_("Write a line for each edition, at most %(most)s.") % {"most": MOST_EDITIONS})
        for faulty in drafts.faults:
            values = {"line": faulty.line, "fault": faulty.fault}
            raise Refused(_("Line %(line)s: %(fault)s Nothing was made.") % values)
        settings, arbiters = stored(event).document.event, list(event.arbiters.all())
        for each in drafts.lines:
            store_draft(Document(_settings(settings, each)), each.slug, by, arbiters)
    return drafts


def _settings(event: EventEntry, drafted: EditionLine) -> EventEntry:
    """Return the settings of an edition: those of another one, but for what a line says."""
    return replace(
        unruled(event),
        name=drafted.name,
        congress="",  # another year, another congress
        place=drafted.place,
        time_zone=event.time_zone if drafted.place == event.place else "",
        country=drafted.country,
        start=drafted.start,
        unplayed=edition_of(drafted.start).code if event.unplayed in FIDE_POLICIES else event.unplayed,
        end=drafted.end,
        planned_rounds=drafted.rounds or event.planned_rounds,
        officials=(),  # others ran it
        sources=(),
        doi="",  # which names the data of the other event
        notes="",
        trf=(),
    )


# --- one line ---------------------------------------------------------------------------------------------


def _read(line: int, text: str, series: str) -> EditionLine:
    """Return what a line says by itself."""
    drafted = EditionLine(line, text.strip())
    cells = [prose(cell) for cell in text.strip().strip(";").split("\t" if "\t" in text else ";")]
    if len(cells) > len(ORDER):
        return replace(drafted, fault=_("There is more in this line than seven values."))
    named = dict(zip(ORDER, [*cells, *[""] * (len(ORDER) - len(cells))], strict=True))
    year = named["year"]
    drafted = replace(
        drafted,
        name=named["name"] or f"{series} {year}",
        place=named["place"],
        country=named["country"],
        start=named["start"] or year,
        end=named["end"],
        rounds=int(named["rounds"]) if re.fullmatch("[0-9]{1,4}", named["rounds"]) else None,
    )
    fault = _fault(drafted, named)
    return replace(drafted, fault=fault) if fault else _named(drafted)


def _fault(drafted: EditionLine, cells: dict[str, str]) -> str:
    """Return what is wrong with a line, blank for nothing."""
    if not re.fullmatch("[0-9]{4}", cells["year"]):
        return _("The year comes first, in four digits.")
    for name, most in LONGEST.items():
        if len(getattr(drafted, name)) > most:
            return _("“%(text)s…” is too long: %(most)s characters fit.") % {
                "text": getattr(drafted, name)[:20],
                "most": most,
            }
    if drafted.country and not re.fullmatch("[A-Z]{3}|[a-z]{2}", drafted.country):
        return _("“%(text)s” is no code of a country, such as NED.") % {"text": drafted.country}
    if cells["rounds"] and not 1 <= (drafted.rounds or 0) <= MOST_ROUNDS:
        return _("“%(text)s” is no number of rounds.") % {"text": cells["rounds"]}
    return _fault_of_days(drafted, cells["year"])


def _fault_of_days(drafted: EditionLine, year: str) -> str:
    for day in filter(None, (drafted.start, drafted.end)):
        if not is_date(day):
            return _("“%(text)s” is no day: write 2026-09-24, or nothing.") % {"text": day}
    if not drafted.start.startswith(year):
        return _("The first day is not in %(year)s.") % {"year": year}
    if ends_before(drafted.start, drafted.end):
        return _("The last day is before the first.")
    return ""


def _named(drafted: EditionLine) -> EditionLine:
    """Return the line with its address, and with whose code the country is."""
    bearer = federation(drafted.country, int(drafted.start[:4])) if drafted.country else None
    slug = address_for(drafted.name, drafted.start)
    fault = "" if slug else _("No address can be made of this name. Write it in Latin letters.")
    return replace(drafted, slug=slug, bearer=bearer.name if bearer else "", fault=fault)


# --- the lines together -----------------------------------------------------------------------------------


def _addressed(lines: Iterator[EditionLine]) -> Iterator[EditionLine]:
    """Yield the lines, with a fault where the address is another event's, or another line's."""
    taken = {
        *Event.objects.values_list("slug", flat=True),
        *FormerSlug.objects.values_list("slug", flat=True),
    }
    # Two lines of one list would meet only when the second is stored, and undo the first.
    found: dict[str, int] = {}
    for each in lines:
        values = {"slug": each.slug, "line": found.get(each.slug)}
        if each.fault:
            yield each
        elif each.slug in taken:
            fault = _("“%(slug)s” is, or was, the address of another event. Name it otherwise.") % values
            yield replace(each, fault=fault)
        elif each.slug in found:
            yield replace(each, fault=_("Line %(line)s gets the same address, “%(slug)s”.") % values)
        else:
            found[each.slug] = each.line
            yield each
