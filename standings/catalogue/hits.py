"""Whom a search named, as lines of their own: teams and players with flag, event and place, each a link."""

from collections.abc import Mapping, Sequence
from html import escape

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.catalogue.known import Known, OverEvents
from standings.catalogue.outcomes import Outcome
from standings.catalogue.search import NamedCompetitor, NamedCompetitors
from standings.entries import flag_of, year_of
from tournaments.models import Event
from tournaments.search.folding import searchable

MOST_HITS = 20
"""So many of those whom a search named have a line of their own; the lines of events name more."""

DOT = " · "


class SearchHits:
    """The hits of a search: teams and players apart, each in the order in which they were named best."""

    def __init__(
        self,
        named: NamedCompetitors,
        events: Sequence[Event],
        outcomes: Mapping[int, Outcome],
        known: Known,
    ) -> None:
        self.total, self.is_exact = named.total, named.is_exact
        self._events = {event.pk: event for event in events}
        self._outcomes, self._known = outcomes, known
        # One whose event was deleted since the names were read is not there any more.
        self._named = [each for each in named.first if each.event in self._events]

    @property
    def more(self) -> int:
        """Return how many were named beside these."""
        return self.total - len(self._named)

    @property
    def known(self) -> SafeString:
        """Return the persons and teams that are known over events, each once, as HTML."""
        lines = (
            f'<li><a class="name" href="{escape(page.address)}">{escape(page.name)}</a> '
            f'<span class="about">{escape(self._kind_over_events(each))}</span></li>'
            for page, each in self._over_events().items()
        )
        return SafeString("\n".join(lines))

    def _over_events(self) -> dict[OverEvents, NamedCompetitor]:
        """Return who is known over events, each with its first hit."""
        first: dict[OverEvents, NamedCompetitor] = {}
        for each in self._named:
            if page := self._page_of(each):
                first.setdefault(page, each)
        return first

    def _page_of(self, named: NamedCompetitor) -> OverEvents | None:
        return self._known.get((named.event, named.found.number, named.found.name))

    def _kind_over_events(self, named: NamedCompetitor) -> str:
        return _("team over events") if self._is_team(named) else _("person over events")

    @property
    def teams(self) -> SafeString:
        """Return the lines of the teams as HTML."""
        return self._lines([each for each in self._named if self._is_team(each)])

    @property
    def players(self) -> SafeString:
        """Return the lines of the players as HTML."""
        return self._lines([each for each in self._named if not self._is_team(each)])

    def suggested(self, most: int) -> list[dict[str, str]]:
        """Return the first of them for the search field to suggest; one name once, with its best hit."""
        found: dict[tuple[bool, str], NamedCompetitor] = {}
        for each in self._named:
            found.setdefault((self._is_team(each), searchable(each.found.name)), each)
        known = [
            {"kind": self._kind_over_events(each), "label": page.name, "about": "", "address": page.address}
            for page, each in self._over_events().items()
        ]
        return [*known, *(self._suggested(each) for each in found.values())][:most]

    def _suggested(self, named: NamedCompetitor) -> dict[str, str]:
        event = self._events[named.event]
        about = (named.found.team, event.name, event.start[:4])
        return {
            "kind": _("team") if self._is_team(named) else _("player"),
            "label": named.found.name,
            "about": DOT.join(filter(None, about)),
            "address": self._address(named),
        }

    @property
    def best(self) -> str:
        """Return the address of the best hit; blank where the words name several competitors equally well.

        One name in several events is one competitor, as far as names tell: the hit is the first of them, or
        the page over events where all of them are known to be one.
        """
        closest = max(map(self._closeness, self._named), default=0)
        best = [each for each in self._named if self._closeness(each) == closest]
        names = {searchable(each.found.name) for each in best}
        is_clear = len(names) == 1 and (closest > 0 or not self.more)
        if not is_clear:
            return ""
        # One person in several events is best met on the page over all of them.
        pages = {self._page_of(each) for each in best}
        page = pages.pop() if len(best) > 1 and len(pages) == 1 else None
        return page.address if page else self._address(best[0])

    def _closeness(self, named: NamedCompetitor) -> int:
        # A country's name names its team, but none of its players.
        return 0 if named.by_federation and not self._is_team(named) else named.closeness

    def _is_team(self, named: NamedCompetitor) -> bool:
        return self._events[named.event].is_team and not named.found.team

    def _address(self, named: NamedCompetitor) -> str:
        return reverse("competitor", args=[self._events[named.event].slug, named.found.number])

    def _lines(self, named: Sequence[NamedCompetitor]) -> SafeString:
        return SafeString("\n".join(self._line(each) for each in named))

    def _line(self, named: NamedCompetitor) -> str:
        event, found = self._events[named.event], named.found
        outcome = self._outcomes.get(event.pk)
        place, country = outcome.places.get(found.number, ("", "")) if outcome else ("", "")
        # Who opens the page from a search has its first hit under the Enter key.
        focus = " autofocus" if named is self._named[0] else ""
        about = [escape(found.team)] if found.team else []
        if outcome and place:
            figures = {"place": place, "count": len(outcome.places)}
            about.append(escape(_("place %(place)s of %(count)s") % figures))
        about.append(escape(event.name))
        return (
            f'<li><a class="name" href="{self._address(named)}"{focus}>'
            f"{flag_of(country, year_of(event))}{escape(found.name)}</a> "
            f'<span class="about">{DOT.join(about)}</span> '
            f'<time datetime="{escape(event.start)}">{escape(event.start[:4])}</time></li>'
        )
