"""The editions of a series, with their neighbours and first three places; the list of series; congresses.

The events of a congress are played together, such as an open, a women's event and age groups.
"""

from collections import defaultdict
from collections.abc import Sequence
from html import escape
from itertools import islice
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.basis import basis_text
from standings.catalogue.eventlines import DOT, first_text
from standings.catalogue.outcomes import Outcome, outcomes_of
from standings.catalogue.series.results import Results, results_of_all
from standings.flags import flag_of, year_of
from standings.texts import system_name
from tournaments.crosstable import with_starred_rules
from tournaments.event.choices import PUBLIC
from tournaments.models import Event, Series
from tournaments.models.rows import RecordQuery
from tournaments.operations.revision import SiteStamp, with_versions
from tournaments.search.folding import sort_key

FIRST = 3
SHOWN = ("slug", "name", "state", "start", "series__slug", "series__name")


class EditionPlace(NamedTuple):
    """A competitor at one of the first places."""

    place: str
    number: int
    name: str
    flag: SafeString


class NeighbourEdition(NamedTuple):
    """The previous or next edition."""

    pk: int
    slug: str
    name: str


PUBLIC_EDITIONS = RecordQuery(
    NeighbourEdition, Event.objects.filter(state__in=PUBLIC).order_by("start", "pk")
)


class Edition(NamedTuple):
    """An edition of a series. `first` is empty before the first result. `basis`: the rounds that count."""

    event: Event
    year: str
    country: SafeString
    first: list[EditionPlace]
    basis: str
    system: str

    @property
    def by_hand(self) -> bool:
        return any("*" in text for text in (self.system, *(each.place for each in self.first)))


def beside(event: Event) -> dict[str, NeighbourEdition | None]:
    """Return `previous_edition` and `next_edition`, None if there is none; one query."""
    editions = [] if event.series_id is None else PUBLIC_EDITIONS.where(series=event.series_id)
    keys = [edition.pk for edition in editions]
    # The desk can preview a draft. It is not among the public editions and is shown after all of them.
    at = keys.index(event.pk) if event.pk in keys else len(keys)
    return {
        "previous_edition": editions[at - 1] if at else None,
        "next_edition": editions[at + 1] if at + 1 < len(editions) else None,
    }


def editions_of(series: Series) -> list[Edition]:
    """Return the public editions, the latest first.

    Two queries, one more if rulings exist, and five more if results are not cached.
    """
    public = Event.objects.filter(series=series, state__in=PUBLIC)
    events = list(with_versions(public).order_by("-start", "-pk"))
    ruled, results = with_starred_rules(public), results_of_all(events)
    return [_edition_of_event(event, results[event.pk], ruled=event.pk in ruled) for event in events]


def _edition_of_event(event: Event, results: Results, *, ruled: bool) -> Edition:
    year = year_of(event)
    first = islice((result for result in results.rows if result.place), FIRST)
    places = [
        EditionPlace(f"{each.place}{each.mark}", each.number, each.name, flag_of(each.flag, year))
        for each in first
    ]
    system = system_name(event, ruled=ruled)
    return Edition(
        event, event.start[:4], flag_of(event.country, year), places, basis_text(results.basis), system
    )


def sections_of_congress(congress: str) -> list[Event]:
    """Return the public events of a congress by start; one query."""
    return list(Event.objects.filter(congress=congress, state__in=PUBLIC).order_by("start", "pk"))


def congress_of(slug: str) -> str:
    """Return the name of the congress, blank if no public event has that slug; one query."""
    named = Event.objects.filter(state__in=PUBLIC).exclude(congress="").order_by("congress")
    names = named.values_list("congress", flat=True).distinct()
    return next((name for name in names if slugify(name) == slug), "")


class SeriesRow(NamedTuple):
    """A series with public editions.

    `last`: the latest edition that is over, else the latest. `outcome`: of that edition.
    """

    slug: str
    name: str
    editions: int
    first_year: str
    last_year: str
    last: Event
    outcome: Outcome | None

    @property
    def years(self) -> str:
        is_one = self.first_year == self.last_year
        return self.first_year if is_one else f"{self.first_year}–{self.last_year}"


def series_rows(site: SiteStamp) -> list[SeriesRow]:
    """Return the series by name; two queries, one more if outcomes changed."""
    editions: dict[str, list[Event]] = defaultdict(list)
    events = Event.objects.filter(state__in=PUBLIC, series__isnull=False)
    for event in events.select_related("series").only(*SHOWN).order_by("start", "pk"):
        editions[event.series.slug if event.series else ""].append(event)
    # Events that are not over have no winner yet.
    last = {
        slug: next((each for each in found[::-1] if each.is_over), found[-1])
        for slug, found in editions.items()
    }
    outcomes = outcomes_of(site.epoch, [event.pk for event in last.values()])
    rows = []
    for slug, found in editions.items():
        years = [event.start[:4] for event in found if event.start]
        name = found[0].series.name if found[0].series else ""
        first_year, last_year = min(years, default=""), max(years, default="")
        outcome = outcomes.get(last[slug].pk)
        rows.append(SeriesRow(slug, name, len(found), first_year, last_year, last[slug], outcome))
    return sorted(rows, key=lambda row: (sort_key(row.name), row.slug))


def series_lines(rows: Sequence[SeriesRow]) -> SafeString:
    return SafeString("\n".join(map(_series_line, rows)))


def _series_line(row: SeriesRow) -> str:
    editions = ngettext("%(count)s edition", "%(count)s editions", row.editions) % {"count": row.editions}
    last = reverse("event", args=[row.last.slug])
    label = _("in progress") if row.last.state == Event.State.LIVE else _("latest")
    about = f'{escape(editions)}{DOT}{escape(label)}: <a href="{last}">{escape(row.last.name)}</a>'
    return (
        f'<li><span class="years">{escape(row.years)}</span> '
        f'<a class="name" href="{reverse("series", args=[row.slug])}">{escape(row.name)}</a> '
        f'<span class="about">{about}</span>'
        f"{first_text(row.last, f'{last}competitors/', row.outcome)}</li>"
    )
