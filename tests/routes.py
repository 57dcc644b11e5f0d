"""Addresses from the URL configuration, so that tests of all addresses include new ones.

`standings.pages.page_list` adds the addresses of an event to it.
"""

import re
from collections.abc import Iterator, Mapping

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from config.urls import pages

PART = re.compile(r"<(?:\w+:)?(\w+)>")
"""A parameter of a route, by its name."""

VALUES = {"slug": "two-teams", "code": "dsb", "after": "1", "first": "1", "second": "2"}
VALUES |= {"key": "1", "named": "ann", "against": "2"}
VALUES |= {"number": "1", "table": "1", "category": "A", "other": "x", "token": "x-y", "name": "live"}
VALUES |= {"ending": "png"}
"""The values of the parameters of public routes, for `tests.cast.create_team_event`."""

NOT_PUBLIC = ("admin/", "hall/", "api/write/")


def public_routes() -> Iterator[str]:
    """Yield the route of every public address in English, once each.

    Excludes the desk, the write API, and the addresses of the hall with signed links, which are not cached.
    """
    routes = (route.removesuffix(r"\Z") for route in _walk(get_resolver().url_patterns, ""))
    return (f"/{route}" for route in dict.fromkeys(routes) if not route.startswith(NOT_PUBLIC))


def is_over_events(address: str) -> bool:
    """Return whether an address is about persons or teams, which the event of two teams does not have."""
    return address.startswith(("/people/1", "/teams/1", "/api/people/1", "/api/teams/1"))


def address_of(route: str) -> str:
    """Return the address of a public route about the event of two teams, or its series."""
    if missing := {*PART.findall(route)} - VALUES.keys():
        raise LookupError(f"{route}: VALUES in tests/routes.py has no value for {', '.join(missing)}")
    slugs = {"series": "cup", "congresses": "none"}
    return filled(
        route, VALUES | {"slug": slugs.get(route.removeprefix("/api").split("/")[1], VALUES["slug"])}
    )


def page_addresses(client: Client) -> Iterator[str]:
    """Yield the address of every page that readers see of the event of two teams, and of the site."""
    for route in dict.fromkeys(str(each.pattern) for each in pages):
        address = address_of(f"/{route}")
        answer = client.get(address)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            yield address


def filled(route: str, values: Mapping[str, str]) -> str:
    """Return the address of a route with these parameters."""
    return PART.sub(lambda part: values[part[1]], route)


def _walk(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            yield route
