"""All URLs of the desk, from the URL configuration."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from tests.cast import Desk
from tests.routes import filled

SPECIAL = {
    "app_list": "tournaments/",
    "(?P<url>.*)$": "nowhere/",
}
"""Values for parts of a route without a row."""

PARTS = {
    "state": "removed",
    "page": "events/two-teams/",
    "number": "1",
    "kind": "standings",
    "table": "1",
    "uidb64": "MQ",
    "passkey_id": "0",
    "bundle_id": "0",
    "token": "x-y",
}
"""The default for parts of a route that are not keys."""


def addresses() -> Iterator[tuple[str, str]]:
    """Yield name (or route) and route of all URLs of the desk."""
    for pattern in get_resolver().url_patterns:
        if str(pattern.pattern).startswith("admin/"):
            yield from _walk([pattern], "")


def _walk(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            inside = route.removeprefix("admin/")
            yield pattern.name or inside, inside


def path_to(desk: Desk, name: str, route: str, **other: str) -> str:
    """Return the URL about the arbiter's event or a row of it; `other` are values of other parts."""
    route = SPECIAL.get(name, route)
    return f"/admin/{filled(route, {**_parts_of(desk, route), **other})}"


def _parts_of(desk: Desk, route: str) -> dict[str, str]:
    """Return the values of all parts of a route, so that its page exists."""
    model = route.split("/")[1] if "/" in route else ""  # tournaments/change/<path:object_id>/history/
    row = str(desk.rows.get(model, desk.event).pk)
    keys = {f"{name}_id": str(each.pk) for name, each in desk.rows.items()}
    keys["key"] = str(desk.rows[_key_without_event(route)].pk)
    nowhere = {"object_id": "0", "content_type_id": "0"} if "content_type_id" in route else {}
    return {**PARTS, **keys, "id": row, "object_id": row, **nowhere}


def _key_without_event(route: str) -> str:
    """Return an object without an event for a route: an act for `people/acts/<int:key>/undo/`."""
    kind = "team" if route.startswith("teams/") else "person"
    if route.startswith("people/acts/"):
        return "act"
    return f"{kind}link" if "/links/" in route else kind
