"""A line of the list of events, as HTML: what it is, and whom a search named in it."""

from collections.abc import Mapping, Sequence
from html import escape

from django.db.models import Count
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.catalogue.search import NOBODY, Found, Whom
from standings.eventwords import discipline_name, entrants_text, schedule_text
from tournaments.models import Competitor, Event

DOT = " · "
SLUG = "-slug-"
"""Stands in an address for the slug of an event."""


def entries_in(keys: Sequence[int]) -> dict[int, int]:
    """How many competitors these events have; one query."""
    counted = Competitor.objects.filter(event__in=keys).order_by().values("event").annotate(all=Count("pk"))
    return dict(counted.values_list("event", "all"))


def lines_of(events: Sequence[Event], found: Mapping[int, Whom]) -> list[SafeString]:
    """The events, each with how many competitors it has and the first of those whom the search named in it.

    One query. Put together by hand: the list shows 25, and `format_html` takes twice as long.
    """
    entries = entries_in([event.pk for event in events])
    words = _Words()
    return [words.line(event, entries.get(event.pk, 0), found.get(event.pk, NOBODY)) for event in events]


class _Words:
    """The words that the lines of a page have in common, escaped and translated once."""

    def __init__(self) -> None:
        self.standings = reverse("standings", args=[SLUG])
        self.competitor = reverse("competitor", args=[SLUG, 0]).removesuffix("0/")
        self.live = f'<span class="state">{escape(_("in progress"))}</span>{DOT}'
        self.team, self.player = escape(_("team")), escape(_("player"))
        self.kinds: dict[tuple[object, ...], str] = {}

    def line(self, event: Event, entries: int, found: Whom) -> SafeString:
        """The event with so many competitors, and whom the search named."""
        slug = escape(event.slug)
        return SafeString(
            f'<li><time datetime="{escape(event.start)}">{escape(event.start[:4])}</time> '
            f'<a class="name" href="{self.standings.replace(SLUG, slug)}">{escape(event.name)}</a> '
            f'<span class="about">{self._about(event, entries)}</span>'
            f"{self._hints(event, self.competitor.replace(SLUG, slug), found)}</li>"
        )

    def _about(self, event: Event, entries: int) -> str:
        state = self.live if event.state == Event.State.LIVE else ""
        place = f"{escape(event.place)}{DOT}" if event.place else ""
        return f"{state}{place}{self._kind(event, entries)}"

    def _kind(self, event: Event, entries: int) -> str:
        parts = (
            event.discipline,
            event.entrants,
            event.schedule,
            event.planned_rounds,
            event.boards,
            entries,
        )
        if parts not in self.kinds:
            many = entrants_text(event, entries) if entries else _("no competitors yet")
            self.kinds[parts] = escape(DOT.join((discipline_name(event), many, schedule_text(event))))
        return self.kinds[parts]

    def _hints(self, event: Event, address: str, found: Whom) -> str:
        """Return the competitors that the search named; `address` is where their addresses begin."""
        if not found.first:
            return ""
        hints = [self._hint(event, address, each) for each in found.first]
        if found.more:
            hints.append(escape(_("%(count)s more") % {"count": found.more}))
        return f'<span class="about">{DOT.join(hints)}</span>'

    def _hint(self, event: Event, address: str, found: Found) -> str:
        what = self.team if event.is_team and not found.team else self.player
        team = f" ({escape(found.team)})" if found.team else ""
        return f'{what}: <a href="{address}{found.number}/">{escape(found.name)}</a>{team}'
