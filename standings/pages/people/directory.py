"""Lists of persons and teams across events."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from standings.caching.cached_pages import choices, mark_uncacheable, rendered, uses_parameters
from standings.caching.cached_people_pages import people_list
from standings.careers.directory import Directory
from standings.careers.listtable import directory_table
from standings.pages.people.lookup import PERSONS, TEAMS, OverEvents

ASKED = ("q", "country", "title", "sort", "dir", "page")
"""The query parameters of the lists."""


@people_list
@uses_parameters(*ASKED)
def persons(request: HttpRequest) -> HttpResponse:
    return _directory_page(request, PERSONS)


@people_list
@uses_parameters(*ASKED)
def teams(request: HttpRequest) -> HttpResponse:
    return _directory_page(request, TEAMS)


def _directory_page(request: HttpRequest, kind: OverEvents[Any]) -> HttpResponse:
    directory = Directory(kind.listed, choices(request, ASKED))
    if directory.is_only_shown:
        mark_uncacheable(request)
    title = _("Teams") if kind.is_team else _("Players")
    context = {
        "directory": directory,
        "table": directory_table(directory, kind.leads_to, title, is_team=kind.is_team),
        "is_team": kind.is_team,
        "canonical": request.build_absolute_uri(request.path),
    }
    return rendered(request, "standings/people.html", context)
