"""The page that says what an event file is: its keys out of the declaration, its versions, its examples."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from standings.caching.cached_pages import only_read, rendered, static_page
from standings.downloads.eventschema import schema_address
from tournaments.interchange.formats.json.schema import KeyLine, described_keys

EXAMPLES = {
    "players-swiss": gettext_lazy(
        "Players, Swiss: byes, forfeits, a withdrawal, a correction, published standings"
    ),
    "players-round-robin": gettext_lazy("Players, round robin: games by forfeit, a place set by the arbiter"),
    "players-double-round-robin": gettext_lazy("Players, double round robin: every result listed"),
    "teams-swiss": gettext_lazy("Teams, Swiss: the boards of each match, reserves, a match by forfeit"),
    "teams-round-robin": gettext_lazy("Teams, round robin: match results only, a penalty"),
    "draughts-micro-matches": gettext_lazy("Draughts: micro-matches"),
    "categories-and-prizes": gettext_lazy(
        "Draughts, Swiss: draws with advantage, categories, prizes, officials, times"
    ),
    "live": gettext_lazy("Players, Swiss: an event in progress"),
}
"""An example for each kind of event, by the name of its file."""

FOLDER = Path(__file__).parents[2] / "tournaments/interchange/formats/json/examples"


CODE, OBJECT = re.compile("`([^`]+)`"), re.compile(r"object: (\w+)")
"""How descriptions mark what stands in a file, and name another object of it."""


class KeysOfObject(NamedTuple):
    """An object of the file, in words, and its keys in order."""

    name: str
    about: str
    keys: list[KeyLine]


@cache
def example(name: str) -> str:
    """Return the text of an example; blank where there is none of that name."""
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8") if name in EXAMPLES else ""


def objects() -> list[KeysOfObject]:
    """Return every object of the file, the file itself first, each behind the one that names it first."""
    found = {name: (about, keys) for name, about, keys in described_keys()}
    names = [next(iter(found))]
    for name in names:  # which grows meanwhile
        named = (each for line in found[name][1] for each in OBJECT.findall(line.value))
        names += [each for each in dict.fromkeys(named) if each not in names]
    return [KeysOfObject(name, found[name][0], [*map(_marked_up, found[name][1])]) for name in names]


def _marked_up(line: KeyLine) -> KeyLine:
    """Return the line of a key as HTML: what a file has is code, and an object is a link to its keys."""
    value, about = (CODE.sub(r"<code>\1</code>", escape(text)) for text in (line.value, line.description))
    linked = OBJECT.sub(r'object: <a href="#\1">\1</a>', value)
    return line._replace(value=SafeString(linked), description=SafeString(about))


@static_page
def event_format(request: HttpRequest) -> HttpResponse:
    """Show what an event file is."""
    context = {
        "canonical": request.build_absolute_uri(request.path),
        "schema": schema_address(request),
        "objects": objects(),
        "examples": [(name, title, len(example(name).encode())) for name, title in EXAMPLES.items()],
        "smallest": example("players-swiss"),
    }
    return rendered(request, "standings/event_format.html", context)


@only_read
def event_example(_: HttpRequest, name: str) -> HttpResponse:
    """Answer with an example, to be saved as a file; Http404 where there is none of that name."""
    if name not in EXAMPLES:
        raise Http404
    return HttpResponse(
        example(name),
        headers={
            "Content-Type": "application/json",
            "Content-Disposition": f'attachment; filename="{name}.json"',
            "Cache-Control": "public, max-age=3600",
        },
    )
