"""A line of the list of events, as HTML: what it is, and whom a search named in it."""

from collections.abc import Sequence

from django.db.models import Count
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.facts import discipline_name, entrants_text, schedule_text
from standings.search import Found
from tournaments.models import Competitor, Event

SHOWN = (
    *("slug", "name", "place", "start", "state"),
    *("discipline", "entrants", "schedule", "planned_rounds", "boards"),
)
"""What a line needs of an event."""

MOST_HINTS = 3
DOT = " · "
NOTHING = SafeString("")


def entries_in(keys: Sequence[int]) -> dict[int, int]:
    """How many competitors these events have; one query."""
    counted = Competitor.objects.filter(event__in=keys).order_by().values("event").annotate(all=Count("pk"))
    return dict(counted.values_list("event", "all"))


def line_of(event: Event, entries: int, found: Sequence[Found]) -> SafeString:
    """The event with so many competitors, and the first of those whom the search named."""
    return format_html(
        '<li><time datetime="{}">{}</time> <a class="name" href="{}">{}</a> '
        '<span class="about">{}{}</span>{}</li>',
        event.start,
        event.start[:4],
        reverse("standings", args=[event.slug]),
        event.name,
        _state(event),
        _about(event, entries),
        _hints(event, found),
    )


def _state(event: Event) -> SafeString:
    if event.state != Event.State.LIVE:
        return NOTHING
    return format_html('<span class="state">{}</span>{}', _("in progress"), DOT)


def _about(event: Event, entries: int) -> str:
    parts = (event.place, discipline_name(event), _entrants(event, entries), schedule_text(event))
    return DOT.join(part for part in parts if part)


def _entrants(event: Event, entries: int) -> str:
    return entrants_text(event, entries) if entries else _("no competitors yet")


def _hints(event: Event, found: Sequence[Found]) -> SafeString:
    if not found:
        return NOTHING
    hints = [_hint(event, each) for each in found[:MOST_HINTS]]
    more = len(found) - len(hints)
    if more:
        hints.append(SafeString(_("%(count)s more") % {"count": more}))
    return format_html(
        '<span class="about">{}</span>', format_html_join(DOT, "{}", ((each,) for each in hints))
    )


def _hint(event: Event, found: Found) -> SafeString:
    what = _("team") if event.is_team and not found.team else _("player")
    address = reverse("competitor", args=[event.slug, found.number])
    team = f" ({found.team})" if found.team else ""
    return format_html('{}: <a href="{}">{}</a>{}', what, address, found.name, team)
