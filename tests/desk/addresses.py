"""Every address of the desk, from the URL configuration itself."""

import re
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from tests.desk.cast import Desk
from tests.desk.matrix import PARTS, SPECIAL


def addresses() -> Iterator[tuple[str, str]]:
    """Name (or route) and route of every address of the desk."""
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


def path_to(desk: Desk, name: str, route: str) -> str:
    """The address about the arbiter's event, or a row of it."""
    if name in SPECIAL:
        rows = {model: row.pk for model, row in desk.rows.items()}
        return f"/admin/{SPECIAL[name].format(**rows)}"
    model = route.split("/")[1] if "/" in route else ""  # tournaments/change/<path:object_id>/history/
    row = desk.rows.get(model, desk.event)
    filled = route.replace("<path:content_type_id>/<path:object_id>", "0/0")
    for part, value in PARTS.items():
        filled = filled.replace(part, value)
    filled = re.sub(r"<int:(\w+)_id>", lambda part: str(desk.rows[part[1]].pk), filled)
    filled = re.sub(r"<int:(number|table)>", "1", filled)  # the round, and the match in it
    filled = re.sub(r"<(path:object_|)id>", str(row.pk), filled)
    assert "<" not in filled, f"say in SPECIAL what stands in {route}"
    return f"/admin/{filled}"
