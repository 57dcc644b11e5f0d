"""The list of series, with the number and years of their editions and the last winner."""

from collections import defaultdict
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.catalogue.eventlines import DOT, first_text
from standings.catalogue.outcomes import Outcome, outcomes_of
from tournaments.event.choices import PUBLIC
from tournaments.models import Event
from tournaments.operations.revision import SiteStamp
from tournaments.search.folding import sort_key


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


SHOWN = ("slug", "name", "state", "start", "series__slug", "series__name")


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
