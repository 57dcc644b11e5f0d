"""Image for shared links, 1200 by 630 pixels: the event, its first three, and the trust line.

It is drawn as SVG and converted to PNG with fonts of this package, so that it looks the same on every server.
It is cached like pages, so it is made once per revision.
"""

from base64 import b64encode
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from textwrap import wrap

import resvg_py
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from standings.caching.cached_pages import event_view, read_only, with_content_type
from standings.charts.svg import element, text
from standings.checking.trust import trust_statement
from standings.flags import country_of, year_of
from standings.pages.frame import default_sheet
from standings.tables.sheet import StandingsSheet, displayed_criteria, published_figures
from standings.texts import dates_text, entrants_and_schedule, value_of
from tournaments.event.federations import federation
from tournaments.event.hiddensigns import written_out
from tournaments.models import Event

WIDTH, HEIGHT = 1200, 630
MARGIN = 64
FIRST = 3

# As in the light scheme of `site.css`.
PAPER, INK, MUTED, RULE, ACCENT, AMBER = "#f7f5f0", "#1d1b17", "#645f55", "#c6bda9", "#1d5c4a", "#6a4a00"
SANS, SERIF = "DejaVu Sans", "DejaVu Serif"
FONTS = [str(file) for file in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
"""Latin, Greek and Cyrillic; other scripts appear as boxes."""

SIGN_WIDTH = 0.64
"""The width of a bold character in parts of the font size; most texts take less."""


@with_content_type("image/png")
@event_view
def _image(request: HttpRequest, event: Event) -> HttpResponse:
    return HttpResponse(png_of(default_sheet(request, event)))


@read_only
def share_image(request: HttpRequest, slug: str) -> HttpResponse:
    response = _image(request, slug)
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def png_of(sheet: StandingsSheet) -> bytes:
    """Return the image of an event. It takes a tenth of a second, so no page includes it."""
    drawn = element(
        "svg",
        *_elements(sheet),
        xmlns="http://www.w3.org/2000/svg",
        width=WIDTH,
        height=HEIGHT,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
    )
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn,
            skip_system_fonts=True,
            font_files=FONTS,
            font_family=SANS,
            sans_serif_family=SANS,
            serif_family=SERIF,
        )
    )


def _elements(sheet: StandingsSheet) -> Iterator[SafeString]:
    event = sheet.event
    yield element("rect", width=WIDTH, height=HEIGHT, fill=PAPER)
    yield element("rect", width=WIDTH, height=12, fill=ACCENT)
    facts = [event.place, dates_text(event)]
    yield _text_element(" · ".join(filter(None, facts)), 84, 28, fill=MUTED)
    lines, size = _fitting_lines(event.name, 58, 2)
    for at, line in enumerate(lines):
        yield _text_element(line, 152 + at * size * 1.15, size, family=SERIF, weight="bold")
    if sheet.standings.has_places:
        for at in range(min(FIRST, len(sheet.rows))):
            yield from _row_elements(sheet, at)
    else:
        about = entrants_and_schedule(event, len(sheet.entries))
        yield _text_element(" · ".join(about), 380, _font_size(" · ".join(about), 34), fill=MUTED)
    yield element("line", x1=MARGIN, x2=WIDTH - MARGIN, y1=536, y2=536, stroke=RULE, stroke_width=2)
    trust = trust_statement(sheet)
    if trust:
        fill = {"agrees": ACCENT, "unchecked": MUTED}.get(trust.state, AMBER)
        trust_text = f"{trust.sign} {trust.sentence}"
        size = _font_size(trust_text, 25, 1.1 * (WIDTH - 2 * MARGIN - 190))
        yield _text_element(trust_text, 591, size, fill=fill)
    yield _text_element("Crosstable", 592, 26, x=WIDTH - MARGIN, anchor="end", family=SERIF, weight="bold")


def _row_elements(sheet: StandingsSheet, at: int) -> Iterator[SafeString]:
    row = sheet.rows[at]
    entry, y = sheet.entries[row.competitor], 316 + at * 82
    place = f"{row.place or '-'}{sheet.standings.place_mark(row.competitor)}"
    yield _text_element(place, y, 42, x=120, anchor="end", weight="bold")
    flag = _flag_data_url(country_of(sheet.event, entry), year_of(sheet.event))
    if flag:
        yield element("image", href=flag, x=148, y=y - 38, width=60, height=45)
        yield element("rect", x=148, y=y - 38, width=60, height=45, fill="none", stroke=RULE)
    yield _text_element(entry.name, y, _font_size(entry.name, 42, WIDTH - 2 * MARGIN - 310), x=228)
    values = [value_of(column, row.competitor) for column in displayed_criteria(sheet.standings)[:1]]
    values += [figures[row.competitor] for _label, figures in published_figures(sheet.standings)[:1]]
    for value in values:
        yield _text_element(value, y, 42, x=WIDTH - MARGIN, anchor="end", weight="bold")


def _text_element(
    words: str,
    y: float,
    size: float,
    *,
    x: float = MARGIN,
    fill: str = INK,
    family: str = SANS,
    weight: str = "normal",
    anchor: str = "start",
) -> SafeString:
    # Names must not change the direction of other texts, and XML has no control characters.
    return text(
        "".join(filter(str.isprintable, written_out(words))),
        x=x,
        y=y,
        fill=fill,
        font_size=size,
        font_family=family,
        font_weight=weight,
        text_anchor=anchor,
    )


def _fitting_lines(words: str, size: float, most: int) -> tuple[list[str], float]:
    """Return at most `most` lines, and the font size at which they fit."""
    while True:
        signs = int((WIDTH - 2 * MARGIN) / (size * SIGN_WIDTH))
        lines = wrap(words, signs) or [""]
        if len(lines) <= most or size < 24:
            return lines[:most], size
        size -= 2


def _font_size(words: str, usual: float, room: float = WIDTH - 2 * MARGIN) -> float:
    return min(usual, room / (max(len(words), 1) * SIGN_WIDTH))


@lru_cache(maxsize=256)
def _flag_data_url(code: str, year: int | None) -> str:
    bearer = federation(code, year)
    if bearer is None or bearer.flag is None:
        return ""
    drawn = (settings.BASE_DIR / "static" / "flags" / f"{bearer.flag}.svg").read_bytes()
    return f"data:image/svg+xml;base64,{b64encode(drawn).decode()}"
