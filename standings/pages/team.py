"""A team over events: its names and codes, its career, and who played for it."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from standings.caching.cached_pages import rendered
from standings.caching.cached_people_pages import people_page, shortly
from standings.careers.members import members_of_team
from standings.careers.naming import written_ways
from standings.careers.tables import members_table
from standings.pages.overevents import PERSONS, TEAMS, PublicTeam
from standings.pages.person import FederationSpan, federation_span
from tournaments.people.public import PublicSpan


class NameSpan(NamedTuple):
    """A name of a team, and the partial dates of its use that are known."""

    name: str
    since: str
    until: str


@people_page(TEAMS.name, TEAMS.stamp_of, "key")
def team(request: HttpRequest, key: int, named: str = "") -> HttpResponse:
    """Show the career of a team; another number or name of the same one leads to its address."""
    about = TEAMS.known(key)
    if (about.id, about.slug) != (key, named):
        return shortly(TEAMS.address(about.id, about.slug))
    shown = TEAMS.shown(key)
    names = [NameSpan(each.name, each.since, each.until) for each in about.team.names.all()]
    told = {about.name, *(each.name for each in names)}
    members = members_of_team(key, shown.career)
    title = _("Players of %(name)s, the most games first") % {"name": about.name}
    context = {
        "about": about,
        "names": names,
        "written": written_ways(told, shown.career),
        "codes": _codes(about),
        "shown": shown,
        "members": members_table(members, title, PERSONS.leads_to) if members else None,
        "has_unknown": any(each.leading is None for each in members),
        "canonical": request.build_absolute_uri(request.path),
        "feed": reverse("team-feed", args=[key]),
        "choose": TEAMS.opponents(key),
    }
    return rendered(request, "standings/team.html", context)


def _codes(about: PublicTeam) -> list[FederationSpan]:
    """Return the codes: of nations with flag and name, of clubs and cities as they are written."""
    spans = [PublicSpan(each.code, each.since, each.until) for each in about.team.codes.all()]
    return list(map(federation_span, spans))
