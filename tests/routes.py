"""Addresses out of the URL configuration itself, so that a new one is in every test of all of them."""

import re
from collections.abc import Iterator, Mapping

from django.urls import URLPattern, URLResolver, get_resolver

PART = re.compile(r"<(?:\w+:)?(\w+)>")
"""A part of a route that stands for a value, by its name."""


def public_routes() -> Iterator[str]:
    """Yield the route of every address that is not the desk's, English ones only, once each."""
    routes = (route.removesuffix(r"\Z") for route in _walk(get_resolver().url_patterns, ""))
    return (f"/{route}" for route in dict.fromkeys(routes) if not route.startswith("admin/"))


def filled(route: str, values: Mapping[str, str]) -> str:
    """Return the address of a route with these values in its parts."""
    return PART.sub(lambda part: values[part[1]], route)


def _walk(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            yield route
