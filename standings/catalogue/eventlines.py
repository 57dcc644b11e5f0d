"""The rows of the list of events as HTML."""

from collections.abc import Mapping, Sequence
from html import escape

from django.db.models import Count
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.catalogue.outcomes import Outcome, progress_text
from standings.catalogue.search import NOBODY, Found, Whom
from standings.flags import flag_of, year_of
from standings.texts import discipline_name, entrants_text, schedule_text
from tournaments.models import Competitor, Event

DOT = " · "
SLUG = "-slug-"
"""Placeholder for the slug in a reversed URL."""


SHOWN = (
    *("slug", "name", "place", "start", "state"),
    *("discipline", "entrants", "schedule", "planned_rounds", "boards", "unknown"),
)
"""The columns that a row of the list shows."""


def listed_events(keys: Sequence[int]) -> list[Event]:
    """Return these events in order, with the columns in SHOWN; one query."""
    # An event may have been deleted since the catalogue was read.
    found = Event.objects.only(*SHOWN).in_bulk(keys)
    return [found[pk] for pk in keys if pk in found]


def entries_in(keys: Sequence[int]) -> dict[int, int]:
    """Return the number of competitors by event; one query."""
    counted = Competitor.objects.filter(event__in=keys).order_by().values("event").annotate(all=Count("pk"))
    return dict(counted.values_list("event", "all"))


def event_lines(
    events: Sequence[Event], outcomes: Mapping[int, Outcome], found: Mapping[int, Whom]
) -> list[SafeString]:
    """Return the HTML of each event. One query.

    Built from strings: the list shows 25 events, and `format_html` takes twice as long.
    """
    entries = entries_in([event.pk for event in events])
    rows = _EventRows()
    return [
        rows.line(event, entries.get(event.pk, 0), outcomes.get(event.pk), found.get(event.pk, NOBODY))
        for event in events
    ]


class _EventRows:
    """Texts that the rows of a page share, escaped and translated once."""

    def __init__(self) -> None:
        self.standings = reverse("standings", args=[SLUG])
        self.competitor = reverse("competitor", args=[SLUG, 0]).removesuffix("0/")
        self.team, self.player = escape(_("team")), escape(_("player"))
        self.kinds: dict[tuple[object, ...], str] = {}

    def line(self, event: Event, entries: int, outcome: Outcome | None, found: Whom) -> SafeString:
        slug = escape(event.slug)
        competitor = self.competitor.replace(SLUG, slug)
        return SafeString(
            f'<li><time datetime="{escape(event.start)}">{escape(event.start[:4])}</time> '
            f'<a class="name" href="{self.standings.replace(SLUG, slug)}">{escape(event.name)}</a> '
            f'<span class="about">{self._about(event, entries, outcome)}</span>'
            f"{first_text(event, competitor, outcome)}{self._hints(event, competitor, found)}</li>"
        )

    def _about(self, event: Event, entries: int, outcome: Outcome | None) -> str:
        state = ""
        if event.state == Event.State.LIVE:
            text = progress_text(outcome.basis) if outcome else _("in progress")
            state = f'<span class="state">{escape(text)}</span>{DOT}'
        place = f"{escape(event.place)}{DOT}" if event.place else ""
        return f"{state}{place}{self._kind(event, entries)}"

    def _kind(self, event: Event, entries: int) -> str:
        parts = (
            event.discipline,
            event.entrants,
            event.schedule,
            event.knows_results,
            event.planned_rounds,
            event.boards,
            entries,
        )
        if parts not in self.kinds:
            competitors = entrants_text(event, entries) if entries else _("no competitors yet")
            texts = (discipline_name(event), competitors, schedule_text(event))
            self.kinds[parts] = escape(DOT.join(filter(None, texts)))
        return self.kinds[parts]

    def _hints(self, event: Event, address: str, found: Whom) -> str:
        """Return the competitors that match the search; `address`: the prefix of their URLs."""
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


def first_text(event: Event, address: str, outcome: Outcome | None) -> str:
    """Return the winner or leader as HTML; `address`: the prefix of the competitors' URLs."""
    if outcome is None or not outcome.first:
        return ""
    if not event.is_over and outcome.sharing > len(outcome.first):  # there is no sole leader yet
        return ""
    if event.is_over:
        what = ngettext("winner", "winners", outcome.sharing)
    else:
        what = ngettext("leader", "leaders", outcome.sharing)
    year = year_of(event)
    names = [
        f'<a href="{address}{each.number}/">{flag_of(each.flag, year)}{escape(each.name)}</a>'
        for each in outcome.first
    ]
    if outcome.sharing > len(names):
        names.append(escape(_("%(count)s more") % {"count": outcome.sharing - len(names)}))
    return f'<span class="about winner">{escape(what)}: <b>{DOT.join(names)}</b></span>'
