"""Pages of persons and teams, cached by the state of the data that they show (ADR 0040)."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseRedirect

from standings.caching.cached_pages import versioned_page
from standings.caching.outage_copies import BRIEFLY
from tournaments.operations.revision import PeopleStamp, people_stamp

View = Callable[..., HttpResponse]
StampOf = Callable[[int], PeopleStamp | None]
"""Returns the state on which the pages of the person or team with that key depend, None if unknown."""


def people_page(what: str, stamp_of: StampOf, *keys: str) -> Callable[[View], View]:
    """Return a decorator for pages of persons or teams; `what`: the URL arguments with their keys.

    One query per person or team if the page is cached. 404 if one is unknown. 503 while the database is
    unavailable, because a person may have been hidden since.
    """

    def state_of(**kwargs: Any) -> tuple[str, str]:
        asked_for = [kwargs[key] for key in keys]
        stamps = [stamp_of(key) for key in asked_for]
        known = [stamp for stamp in stamps if stamp is not None]
        if len(known) < len(keys):
            raise Http404
        name = "-".join([what, known[0].epoch, *map(str, asked_for)])
        return name, "-".join(stamp.version for stamp in known)

    return lambda page: versioned_page(page, state_of)


def temporary_redirect(address: str) -> HttpResponse:
    """Return a temporary redirect: names change, merges are undone, persons are hidden."""
    answer = HttpResponseRedirect(address)
    answer["Cache-Control"] = BRIEFLY
    return answer


def people_list(page: View) -> View:
    def state_of(**_: Any) -> tuple[str, str]:
        stamp = people_stamp()
        return f"people-{stamp.epoch}", stamp.version

    return versioned_page(page, state_of)
