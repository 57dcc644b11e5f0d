"""Pages about files: the keys, versions and examples of event files, and the layouts of tables."""

import re
import sys
from functools import cache
from inspect import cleandoc
from pathlib import Path
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from standings.caching.cached_pages import read_only, rendered, static_page
from standings.downloads.views import schema_address
from tournaments.interchange.formats.json.schema import KeyLine, described_keys
from tournaments.interchange.formats.layouts import LAYOUTS
from tournaments.interchange.formats.layouts.layout import LayoutFile

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
"""An example for each kind of event, by file name."""

FOLDER = Path(__file__).parents[3] / "tournaments/interchange/formats/json/examples"


CODE, OBJECT = re.compile("`([^`]+)`"), re.compile(r"object: (\w+)")
"""Markup of code and of other objects in descriptions."""


@cache
def example(name: str) -> str:
    return (FOLDER / f"{name}.json").read_text(encoding="utf-8") if name in EXAMPLES else ""


def objects() -> list[tuple[str, str, list[KeyLine]]]:
    """Return the name, description and keys of each object of the file.

    The file itself is first, and each other object follows the first that refers to it.
    """
    by_name = {name: (about, keys) for name, about, keys in described_keys()}
    names = [next(iter(by_name))]
    for name in names:  # the loop appends to the list
        named = (reference for line in by_name[name][1] for reference in OBJECT.findall(line.value))
        names += [reference for reference in dict.fromkeys(named) if reference not in names]
    return [(name, by_name[name][0], [*map(_key_line_html, by_name[name][1])]) for name in names]


def _key_line_html(line: KeyLine) -> KeyLine:
    value, about = (CODE.sub(r"<code>\1</code>", escape(text)) for text in (line.value, line.description))
    linked = OBJECT.sub(r'object: <a href="#\1">\1</a>', value)
    return line._replace(value=SafeString(linked), description=SafeString(about))


class LayoutDescription(NamedTuple):
    """A layout of tables. `signs`: how a file is recognised, from the example. `about`: paragraphs."""

    code: str
    name: str
    about: list[str]
    signs: list[str]
    endings: tuple[str, ...]
    example: str


@cache
def layout_descriptions() -> list[LayoutDescription]:
    found = []
    for each in LAYOUTS:
        text = each.about or sys.modules[each.recognise.__module__].__doc__ or ""
        paragraphs = cleandoc(text).split("\n\n")
        about = [paragraph for paragraph in paragraphs if not paragraph.startswith("    ")]
        signs = each.recognise(LayoutFile(f"example{each.endings[0]}", each.example.encode()))
        found.append(
            LayoutDescription(each.code, each.name, about, [*signs], each.endings, each.example.strip())
        )
    return found


@static_page
def layouts(request: HttpRequest) -> HttpResponse:
    shown = [
        each._replace(about=[SafeString(CODE.sub(r"<code>\1</code>", escape(text))) for text in each.about])
        for each in layout_descriptions()
    ]
    return rendered(request, "standings/layouts.html", {"layouts": shown})


@static_page
def event_format(request: HttpRequest) -> HttpResponse:
    context = {
        "schema": schema_address(request),
        "objects": objects(),
        "examples": [(name, title, len(example(name).encode())) for name, title in EXAMPLES.items()],
        "smallest": example("players-swiss"),
    }
    return rendered(request, "standings/event_format.html", context)


@read_only
def event_example(_: HttpRequest, name: str) -> HttpResponse:
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
