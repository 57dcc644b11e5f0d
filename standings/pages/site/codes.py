"""Page of codes: federations with years and flags, and clubs and cities of the site's events."""

from collections import defaultdict
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext as _

from standings.caching.cached_pages import rendered, site_page
from standings.flags import flag_of, year_of
from standings.texts import name_of_federation
from tournaments.event.arrays import CompetitorInfo
from tournaments.event.choices import PUBLIC
from tournaments.event.federations import Federation, bearers, federation
from tournaments.models import Competitor, Event
from tournaments.search.folding import sort_key


class Code(NamedTuple):
    """A code and the anchor of its line: the code, with a year if another line has the same code."""

    text: str
    anchor: str


class FederationRow(NamedTuple):
    """A federation with its codes, the usual one first.

    `otherwise`: the federation that has the usual code today, if it is another one.
    """

    codes: list[Code]
    name: str
    flag: SafeString
    flag_since: int | None
    years: str
    otherwise: str


def federation_rows() -> tuple[list[FederationRow], list[FederationRow]]:
    """Return today's federations by name, and historical ones by code."""
    taken: set[str] = set()
    today = [_federation_line(bearer, taken) for bearer in bearers() if not bearer.historical]
    historical = [_federation_line(bearer, taken) for bearer in bearers() if bearer.historical]
    return sorted(today, key=lambda line: line.name), historical


def anchor_of(event: Event, entry: CompetitorInfo) -> str:
    """Return the anchor of a competitor's code (GEO2), empty if there is no such code."""
    if not event.has_nations:
        return team_anchor(event.teams_are, entry.code, entry.name) if entry.code else ""
    return federation_anchor(entry.code)


def federation_anchor(code: str) -> str:
    """Return the anchor of a federation's code, without a team number; empty if it is unknown."""
    return code.rstrip("0123456789") if federation(code) else ""


def team_anchor(kind: str, code: str, name: str) -> str:
    """Return the anchor of a club or city, which has a line for each name with its code."""
    return f"{kind}-{slugify(f'{code} {name}', allow_unicode=True)}"


class Team(NamedTuple):
    """A club or city with the flag of its country, and its entries in events, the latest first."""

    anchor: str
    code: str
    name: str
    flag: SafeString
    entries: list[Competitor]


def teams(kind: str) -> list[Team]:
    """Return the clubs, or cities, of all public events by name; one query."""
    rows = Competitor.objects.filter(event__teams_are=kind, event__state__in=PUBLIC)
    rows = rows.order_by("-event__start", "event__name", "number").select_related("event")
    by_team: dict[tuple[str, str], list[Competitor]] = defaultdict(list)
    for entry in rows.only("name", "code", "flag", "number", "event__start", "event__name", "event__slug"):
        by_team[entry.name, entry.code].append(entry)
    return [
        Team(
            team_anchor(kind, code, name),
            code,
            name,
            next(
                (flag_of(entry.flag, year_of(entry.event)) for entry in entries if entry.flag), SafeString("")
            ),
            entries,
        )
        for (name, code), entries in sorted(
            by_team.items(), key=lambda item: (sort_key(item[0][0]), item[0][1])
        )
    ]


def _federation_line(bearer: Federation, taken: set[str]) -> FederationRow:
    codes = [Code(code, f"{code}-{bearer.first_year}" if code in taken else code) for code in bearer.codes]
    taken.update(bearer.codes)
    usual, name = bearer.codes[0], name_of_federation(bearer)
    flag = flag_of(usual, bearer.last_year or bearer.first_year)
    today = (other for other in bearers() if not other.historical and usual in other.codes)
    other = next((name_of_federation(other) for other in today if other is not bearer), "")
    return FederationRow(codes, name, flag, bearer.flag_since, _years_text(bearer), other)


def _years_text(bearer: Federation) -> str:
    first, last = bearer.first_year, bearer.last_year
    if first is None:
        return ""
    if last is None:
        return _("from %(year)s") % {"year": first}
    return str(first) if first == last else f"{first}–{last}"


@site_page
def codes(request: HttpRequest) -> HttpResponse:
    today, certain = federation_rows()
    kinds = {
        "clubs": (_("Clubs"), _("Clubs and their codes"), teams("clubs")),
        "cities": (_("Cities"), _("Cities and their codes"), teams("cities")),
    }
    of_teams = [(key, *row) for key, row in kinds.items() if row[-1]]
    context = {
        "today": today,
        "certain": certain,
        "of_teams": of_teams,
    }
    return rendered(request, "standings/codes.html", context)
