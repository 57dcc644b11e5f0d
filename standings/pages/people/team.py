"""Page of a team across events: names, codes, career and players."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from standings.caching.cached_pages import rendered
from standings.caching.cached_people_pages import people_page, temporary_redirect
from standings.careers.members import members_of_team
from standings.careers.tables import members_table
from standings.careers.totals import written_ways
from standings.pages.people.lookup import TEAMS
from standings.pages.people.person import federation_span
from tournaments.people.public import PublicSpan


class NameSpan(NamedTuple):
    """A name of a team, with partial dates of its use if known."""

    name: str
    since: str
    until: str


@people_page(TEAMS.name, TEAMS.stamp_of, "key")
def team(request: HttpRequest, key: int, named: str = "") -> HttpResponse:
    """Show the career of a team; redirect from another number or name of the same team."""
    about = TEAMS.known(key)
    if (about.id, about.slug) != (key, named):
        return temporary_redirect(TEAMS.address(about.id, about.slug))
    shown = TEAMS.shown(key)
    names = [NameSpan(name.name, name.since, name.until) for name in about.team.names.all()]
    codes = [PublicSpan(code.code, code.since, code.until) for code in about.team.codes.all()]
    members = members_of_team(key, shown.career)
    title = _("Players of %(name)s, the most games first") % {"name": about.name}
    context = {
        "about": about,
        "names": names,
        "written": written_ways({about.name, *(name.name for name in names)}, shown.career),
        "codes": list(map(federation_span, codes)),
        "shown": shown,
        "members": members_table(members, title) if members else None,
        "has_unknown": any(member.leading is None for member in members),
        "canonical": request.build_absolute_uri(request.path),
        "feed": reverse("team-feed", args=[key]),
        "choose": TEAMS.opponents(key),
    }
    return rendered(request, "standings/team.html", context)
