"""The lists of persons and of teams over events."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from standings.careers.directory import Directory
from standings.pages.overevents import PERSONS, TEAMS, OverEvents
from standings.serving.pages import choices, knows, only_shown, rendered
from standings.serving.peoplepages import people_list

ASKED = ("q", "country", "title", "page")
"""What a reader may ask of the lists."""


@people_list
@knows(*ASKED)
def persons(request: HttpRequest) -> HttpResponse:
    """Show the persons that a reader asked for, by name."""
    return _list(request, PERSONS)


@people_list
@knows(*ASKED)
def teams(request: HttpRequest) -> HttpResponse:
    """Show the teams that a reader asked for, by name."""
    return _list(request, TEAMS)


def _list(request: HttpRequest, kind: OverEvents[Any]) -> HttpResponse:
    asked = choices(request, ASKED)
    directory = Directory(kind.listed, asked)
    if asked:
        # Words are without number: their pages must not displace others.
        only_shown(request)
    context = {
        "directory": directory,
        "lines": [(kind.leads_to(each.leading), each) for each in directory.lines],
        "is_team": kind.is_team,
        "canonical": request.build_absolute_uri(request.path),
    }
    return rendered(request, "standings/people.html", context)
