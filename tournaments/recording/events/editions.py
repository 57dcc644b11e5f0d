"""Create the editions of a series from a list, with the settings of an existing edition. All or none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from standings.engine import edition_of
from tournaments.event.dates import ends_before, is_date
from tournaments.event.document import Document, EventEntry
from tournaments.event.federations import federation
from tournaments.interchange.formats.file_formats import address_for
from tournaments.models import Event, FormerSlug
from tournaments.recording.events.backups import store_draft
from tournaments.recording.events.rules import unruled
from tournaments.recording.events.systems import FIDE_POLICIES
from tournaments.recording.locking import saving
from tournaments.recording.refusal import PastedLine, PastedList, Refused, prose
from tournaments.stored import stored

ORDER = ("year", "name", "place", "country", "start", "end", "rounds")
"""Values of a line, in this order. Unknown values are omitted or empty."""

LONGEST = {"name": 200, "place": 120}
LONGEST_LINE = 1_000
MOST_ROUNDS = 200
MOST_EDITIONS = 300


@dataclass(frozen=True, slots=True)
class EditionLine(PastedLine):
    """A parsed line of a list of editions.

    `bearer`: name of the federation with the code `country`, or blank. `rounds`: None to use the number of
    the copied edition.
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
    """The parsed lines, without blank lines."""


def read_editions(event: Event, text: str) -> EditionList:
    """Parse the editions to create with the settings of this event. Two queries.

    A line is `year; name; place; country; first day; last day; rounds`, separated by semicolons or tabs.
    The name defaults to series and year. Raise Refused if the event has no series.
    """
    if event.series is None:
        raise Refused(_("This event does not belong to a series. Choose a series in its settings first."))
    series = event.series.name
    lines = enumerate(text.splitlines(), start=1)
    read = (_parse_edition(at, line[:LONGEST_LINE], series) for at, line in lines if line.strip("; \t\xa0"))
    return EditionList(tuple(_with_unique_slugs(read)))


def create_editions(event: Event, text: str, by: User) -> EditionList:
    """Create the editions as drafts without competitors. The arbiters are those of the event, and `by`.

    All or nothing. Raise Refused with the first fault, or if there are no lines.
    """
    with saving():
        drafts = read_editions(event, text)
        if not 0 < len(drafts.lines) <= MOST_EDITIONS:
            raise Refused(_("Write a line for each edition, at most %(most)s.") % {"most": MOST_EDITIONS})
        for faulty in drafts.faults:
            values = {"line": faulty.line, "fault": faulty.fault}
            raise Refused(_("Line %(line)s: %(fault)s No events were created.") % values)
        settings, arbiters = stored(event).document.event, list(event.arbiters.all())
        for each in drafts.lines:
            store_draft(Document(_edition_settings(settings, each)), each.slug, by, arbiters)
    return drafts


def _edition_settings(event: EventEntry, edition: EditionLine) -> EventEntry:
    return replace(
        unruled(event),
        name=edition.name,
        congress="",  # a congress is of one year
        place=edition.place,
        time_zone=event.time_zone if edition.place == event.place else "",
        country=edition.country,
        start=edition.start,
        unplayed=edition_of(edition.start).code if event.unplayed in FIDE_POLICIES else event.unplayed,
        end=edition.end,
        planned_rounds=edition.rounds or event.planned_rounds,
        officials=(),  # other editions have other officials
        sources=(),
        doi="",  # a DOI identifies the data of an event
        notes="",
        trf=(),
    )


# --- parsing ----------------------------------------------------------------------------------------------


def _parse_edition(line: int, text: str, series: str) -> EditionLine:
    edition = EditionLine(line, text.strip())
    cells = [prose(cell) for cell in text.strip().strip(";").split("\t" if "\t" in text else ";")]
    if len(cells) > len(ORDER):
        return replace(edition, fault=_("There is more in this line than seven values."))
    named = dict(zip(ORDER, [*cells, *[""] * (len(ORDER) - len(cells))], strict=True))
    year = named["year"]
    edition = replace(
        edition,
        name=named["name"] or f"{series} {year}",
        place=named["place"],
        country=named["country"],
        start=named["start"] or year,
        end=named["end"],
        rounds=int(named["rounds"]) if re.fullmatch("[0-9]{1,4}", named["rounds"]) else None,
    )
    fault = _fault_of_edition(edition, named)
    return replace(edition, fault=fault) if fault else _with_slug(edition)


def _fault_of_edition(edition: EditionLine, cells: dict[str, str]) -> str:
    if not re.fullmatch("[0-9]{4}", cells["year"]):
        return _("The year comes first, in four digits.")
    for name, most in LONGEST.items():
        if len(getattr(edition, name)) > most:
            return _("“%(text)s…” is too long: %(most)s characters fit.") % {
                "text": getattr(edition, name)[:20],
                "most": most,
            }
    if edition.country and not re.fullmatch("[A-Z]{3}|[a-z]{2}", edition.country):
        return _("“%(text)s” is not a country code, such as NED.") % {"text": edition.country}
    if cells["rounds"] and not 1 <= (edition.rounds or 0) <= MOST_ROUNDS:
        return _("“%(text)s” is not a number of rounds.") % {"text": cells["rounds"]}
    year = cells["year"]
    for day in filter(None, (edition.start, edition.end)):
        if not is_date(day):
            return _("“%(text)s” is not a date. Write 2026-09-24, or leave it out.") % {"text": day}
    if not edition.start.startswith(year):
        return _("The first day is not in %(year)s.") % {"year": year}
    if ends_before(edition.start, edition.end):
        return _("The last day is before the first.")
    return ""


def _with_slug(edition: EditionLine) -> EditionLine:
    bearer = federation(edition.country, int(edition.start[:4])) if edition.country else None
    slug = address_for(edition.name, edition.start)
    fault = "" if slug else _("This name cannot be made into an address. Write it in Latin letters.")
    return replace(edition, slug=slug, bearer=bearer.name if bearer else "", fault=fault)


# --- checks -----------------------------------------------------------------------------------------------


def _with_unique_slugs(lines: Iterator[EditionLine]) -> Iterator[EditionLine]:
    taken = {
        *Event.objects.values_list("slug", flat=True),
        *FormerSlug.objects.values_list("slug", flat=True),
    }
    # Otherwise the second of two equal slugs would fail when it is stored, and undo the first.
    found: dict[str, int] = {}
    for each in lines:
        values = {"slug": each.slug, "line": found.get(each.slug)}
        if each.fault:
            yield each
        elif each.slug in taken:
            fault = _("“%(slug)s” is or was the address of another event. Choose another address.") % values
            yield replace(each, fault=fault)
        elif each.slug in found:
            yield replace(each, fault=_("Line %(line)s gets the same address, “%(slug)s”.") % values)
        else:
            found[each.slug] = each.line
            yield each
