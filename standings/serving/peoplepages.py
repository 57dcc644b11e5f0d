"""Pages of persons and teams over events: kept under what they show, whichever events that is (ADR 0040)."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect

from standings.serving.outage import BRIEFLY
from standings.serving.pages import as_kept, only_read
from tournaments.revision import PeopleStamp, people_stamp

View = Callable[..., HttpResponse]
StampOf = Callable[[int], PeopleStamp | None]
"""Returns what the pages of the person, or the team, with that key depend on; None where there is none."""


def people_page(what: str, stamp_of: StampOf, *keys: str) -> Callable[[View], View]:
    """Return a decorator of a page of persons or teams, whose keys are these parts of its address.

    One query for each of them where the page is kept. Not found where one of them is not there. Not shown
    while the database is away: nobody could tell whether somebody has been hidden since.
    """

    def decorate(page: View) -> View:
        @only_read
        @wraps(page)
        def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            asked_for = [kwargs[key] for key in keys]
            stamps = [stamp_of(key) for key in asked_for]
            known = [stamp for stamp in stamps if stamp is not None]
            if len(known) < len(keys):
                raise Http404
            name = "-".join([what, known[0].epoch, *map(str, asked_for)])
            version = "-".join(stamp.version for stamp in known)

            def make(asked: HttpRequest) -> tuple[str, HttpResponse]:
                return version, page(asked, **kwargs)

            return as_kept(request, page, name, version, make)

        return answer

    return decorate


def shortly(address: str) -> HttpResponse:
    """Return the way to another address, for now: names change, merges are undone, persons are hidden."""
    answer = HttpResponseRedirect(address)
    answer["Cache-Control"] = BRIEFLY
    return answer


def people_list(page: View) -> View:
    """Return the view of a list of persons or teams: kept until one of them, or any event, changes."""

    @only_read
    @wraps(page)
    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        stamp = people_stamp()
        version = stamp.version

        def make(asked: HttpRequest) -> tuple[str, HttpResponse]:
            return version, page(asked, **kwargs)

        return as_kept(request, page, f"people-{stamp.epoch}", version, make)

    return answer
