"""Image for shared links, 1200 by 630 pixels: the event, the round, its first three, and the trust line.

It is drawn as SVG and converted to PNG with fonts of this package, so that it looks the same on every server.
It is cached like pages, so it is made once per revision.
"""

from base64 import b64encode
from collections.abc import Iterator
from functools import lru_cache
from textwrap import wrap
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from standings.basis import basis_text
from standings.caching.cached_pages import PICTURE_TYPES, event_view, uses_parameters
from standings.charts.svg import element
from standings.checking.trust import trust_statement
from standings.flags import country_of, year_of
from standings.pages import pictures
from standings.pages.frame import default_sheet
from standings.services import paired_rounds
from standings.tables.sheet import StandingsSheet, displayed_criteria, published_figures
from standings.texts import dates_text, entrants_and_schedule, value_of
from tournaments.event.federations import federation
from tournaments.models import Event

WIDTH, HEIGHT = 1200, 630
MARGIN = 64
FULL = WIDTH - 2 * MARGIN
FIRST = 3
TITLE: dict[str, Any] = {"font_family": pictures.SERIF, "font_weight": "bold"}


@event_view
@uses_parameters("after")
def share_image(request: HttpRequest, event: Event, ending: str) -> HttpResponse:
    if ending not in PICTURE_TYPES:
        raise Http404
    sheet = default_sheet(request, event)
    return HttpResponse(_svg_of(sheet) if ending == "svg" else png_of(sheet))


def png_of(sheet: StandingsSheet) -> bytes:
    return pictures.png_from(_svg_of(sheet))


def _svg_of(sheet: StandingsSheet) -> SafeString:
    return pictures.svg_file(WIDTH, HEIGHT, *_elements(sheet))


def _elements(sheet: StandingsSheet) -> Iterator[SafeString]:
    event = sheet.event
    yield element("rect", width=WIDTH, height=12, fill=pictures.ACCENT)
    facts = [event.place, dates_text(event), basis_text(sheet.basis) if sheet.standings.has_places else ""]
    about = " · ".join(filter(None, facts))
    yield pictures.text_element(about, 84, pictures.font_size(about, 28, FULL), fill=pictures.MUTED)
    lines, size = _fitting_lines(event.name, 58, 2)
    for at, line in enumerate(lines):
        yield pictures.text_element(line, 152 + at * size * 1.15, size, **TITLE)
    if sheet.standings.has_places:
        for at in range(min(FIRST, len(sheet.rows))):
            yield from _row_elements(sheet, at)
    else:
        about = " · ".join(entrants_and_schedule(event, len(sheet.entries)))
        yield pictures.text_element(about, 380, pictures.font_size(about, 34, FULL), fill=pictures.MUTED)
    yield element("line", x1=MARGIN, x2=WIDTH - MARGIN, y1=536, y2=536, stroke=pictures.RULE, stroke_width=2)
    is_final = not sheet.query or sheet.standings.table.rounds == paired_rounds(event)
    trust = trust_statement(sheet, is_final=is_final)
    if trust:
        fill = {"agrees": pictures.ACCENT, "unchecked": pictures.MUTED}.get(trust.state, pictures.AMBER)
        trust_text = f"{trust.sign} {trust.sentence}" if trust.text else ""
        size = pictures.font_size(trust_text, 25, 1.1 * (FULL - 190))
        yield pictures.text_element(trust_text, 591, size, fill=fill)
    yield pictures.text_element("Crosstable", 592, 26, x=WIDTH - MARGIN, text_anchor="end", **TITLE)


def _row_elements(sheet: StandingsSheet, at: int) -> Iterator[SafeString]:
    row = sheet.rows[at]
    entry, y = sheet.entries[row.competitor], 316 + at * 82
    place = sheet.place_text(row.competitor)
    yield pictures.text_element(place, y, 42, x=120, text_anchor="end", font_weight="bold")
    flag = _flag_data_url(country_of(sheet.event, entry), year_of(sheet.event))
    if flag:
        yield element("image", href=flag, x=148, y=y - 38, width=60, height=45)
        yield element("rect", x=148, y=y - 38, width=60, height=45, fill="none", stroke=pictures.RULE)
    yield pictures.text_element(entry.name, y, pictures.font_size(entry.name, 42, FULL - 310), x=228)
    values = [value_of(column, row.competitor) for column in displayed_criteria(sheet.standings)[:1]]
    values += [figures[row.competitor] for _label, figures in published_figures(sheet.standings)[:1]]
    for value in values:
        yield pictures.text_element(value, y, 42, x=WIDTH - MARGIN, text_anchor="end", font_weight="bold")


def _fitting_lines(words: str, size: float, most: int) -> tuple[list[str], float]:
    """Return at most `most` lines, and the font size at which they fit."""
    while True:
        signs = int((FULL) / (size * pictures.SIGN_WIDTH))
        lines = wrap(words, signs) or [""]
        if len(lines) <= most or size < 24:
            return lines[:most], size
        size -= 2


@lru_cache(maxsize=256)
def _flag_data_url(code: str, year: int | None) -> str:
    bearer = federation(code, year)
    if bearer is None or bearer.flag is None:
        return ""
    drawn = (settings.SHARE / "static" / "flags" / f"{bearer.flag}.svg").read_bytes()
    return f"data:image/svg+xml;base64,{b64encode(drawn).decode()}"
