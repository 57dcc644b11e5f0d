"""The world map: each country is shaded by the best place of its competitors.

`world.json` contains the outlines of Natural Earth 4.1 (public domain), taken from the npm package
world-atlas 2.0.2 (ISC licence), simplified, in the Equal Earth projection with 10° east at the centre.
Borders are those of the source and imply no position on disputed areas. Small countries are dots. So are
England, Scotland and Wales, which the source contains as a single country. Competitors of countries that no
longer exist are listed below the map.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.svg import Figure, FigureTable, drawing, element, svg_link, text, titled
from standings.flags import country_of, year_of
from standings.tables.sheet import StandingsSheet
from standings.texts import name_of_federation
from tournaments.event.federations import federation, location_of

FILE = Path(__file__).with_name("world.json")
BANDS = (3, 10, 25, 50, 100)
"""The last place of each shade. A sixth shade is for lower places."""
FEWEST = 4  # minimum number of countries for a map
NUMBERED = 10  # last place that is written on the map if there is room
APART = 18  # SVG units: minimum distance of two numbers


class PlacedCompetitor(NamedTuple):
    """A competitor on the map. `code`: of its country in that year."""

    place: int
    name: str
    address: str
    code: str
    year: int | None


@dataclass
class PlacedCountry:
    """A country on the map. `key`: in world.json. `competitors`: best first."""

    key: str
    name: str
    competitors: list[PlacedCompetitor] = field(default_factory=list)

    @property
    def place(self) -> int:
        return self.competitors[0].place

    @property
    def band(self) -> int:
        return 1 + sum(self.place > last for last in BANDS)


@cache
def world() -> dict[str, Any]:
    """Return `width`, `height` and `land`, and `paths` and `points` by country key."""
    outlines: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return outlines


def is_mapped(sheet: StandingsSheet) -> bool:
    year = year_of(sheet.event)
    placed = (sheet.entries[row.competitor] for row in sheet.rows if row.place)
    keys = {location_of(country_of(sheet.event, entry), year) for entry in placed}
    return sheet.event.has_nations and len(keys & world()["points"].keys()) >= FEWEST


def map_of_event(sheet: StandingsSheet, address: str) -> Figure | None:
    """Return the map of an event. None if its federations are not countries or there are too few."""
    event, year = sheet.event, year_of(sheet.event)
    if not event.has_nations:
        return None
    placed = [
        PlacedCompetitor(
            row.place,
            sheet.entries[row.competitor].name,
            f"{address}competitors/{sheet.entries[row.competitor].number}/",
            country_of(event, sheet.entries[row.competitor]),
            year,
        )
        for row in sheet.rows
        if row.place
    ]
    heading = _("Teams on the map") if event.is_team else _("Players on the map")
    return map_of(placed, heading)


def map_of(placed: Iterable[PlacedCompetitor], heading: str) -> Figure | None:
    """Return the map of these competitors. None if they are from too few countries."""
    countries: dict[str, PlacedCountry] = {}
    elsewhere: list[str] = []
    for each in sorted(placed, key=lambda each: each.place):
        key, bearer = location_of(each.code, each.year), federation(each.code, each.year)
        if bearer is None or key not in world()["points"]:
            if each.code and bearer:
                elsewhere.append(each.name)
            continue
        country = countries.setdefault(key, PlacedCountry(key, name_of_federation(bearer)))
        country.competitors.append(each)
    if len(countries) < FEWEST:
        return None
    mapped = list(countries.values())
    table = FigureTable(
        _("The best place of each country"),
        [_("country"), _("place"), _("competitors")],
        [
            [each.name, str(each.place), ", ".join(competitor.name for competitor in each.competitors[:3])]
            for each in mapped
        ],
    )
    return Figure(heading, _map_drawing(mapped, heading), _caption(mapped, elsewhere), table, css="map")


def _caption(countries: Sequence[PlacedCountry], elsewhere: Sequence[str]) -> SafeString:
    highest = max(country.band for country in countries)
    firsts = [1, *(last + 1 for last in BANDS)]
    shades = [
        (band, f"{firsts[band - 1]}–{BANDS[band - 1]}" if band <= len(BANDS) else f"{firsts[-1]}–")
        for band in range(1, highest + 1)
    ]
    keys = format_html_join(
        " ",
        '<span class="key"><svg width="14" height="10" aria-hidden="true">'
        '<rect class="band-{}" width="14" height="10"/></svg> {}</span>',
        shades,
    )
    sentences = [_("The best place of each country: the stronger the colour, the better the place.")]
    if elsewhere:
        sentences.append(_("Not on today's map: %(names)s.") % {"names": ", ".join(elsewhere)})
    sentences.append(_("Outlines: Natural Earth, public domain."))
    return format_html("{} {}", keys, " ".join(sentences))


# --- drawing ------------------------------------------------------------------------------------------------


def _map_drawing(countries: Sequence[PlacedCountry], heading: str) -> SafeString:
    outlines = world()
    drawn = {country.key for country in countries}
    others = "".join(path for key, path in outlines["paths"].items() if key not in drawn)
    land = element("path", class_="land", d=outlines["land"] + others)
    # Dots are drawn on top of the surrounding countries, with higher places on top.
    with_paths = [country for country in countries if country.key in outlines["paths"]]
    small = [country for country in reversed(countries) if country.key not in outlines["paths"]]
    label = _("%(heading)s: %(count)s countries, led by %(name)s. The places are in the table below.")
    values = {"heading": heading, "count": len(countries), "name": countries[0].name}
    return drawing(
        land,
        *(_country_link(country) for country in (*with_paths, *small)),
        *_place_numbers(countries),
        label=label % values,
        height="100%",
        links=True,
        view_box=(outlines["width"], outlines["height"]),
    )


def _country_link(country: PlacedCountry) -> SafeString:
    outlines, css = world(), f"band-{country.band}"
    if country.key in outlines["paths"]:
        shape = element("path", class_=css, d=outlines["paths"][country.key])
    else:
        x, y = outlines["points"][country.key]
        shape = element("circle", class_=css, cx=x, cy=y, r=4)
    best = country.competitors[0]
    name = country.name if best.name == country.name else f"{country.name}: {best.name}"
    # Not in the tab order: it would add two hundred stops, and the table has the same links.
    return svg_link(best.address, titled(f"{country.place} {name}"), shape, tabindex=-1)


def _place_numbers(countries: Sequence[PlacedCountry]) -> list[SafeString]:
    written: list[tuple[int, int]] = []
    labels = []
    for country in countries:
        x, y = world()["points"][country.key]
        is_free = all(abs(x - left) > APART or abs(y - high) > APART for left, high in written)
        if country.place <= NUMBERED and is_free:
            written.append((x, y))
            number = text(country.place, class_=f"on-{country.band}", x=x, y=y + 5, text_anchor="middle")
            labels.append(number)
    return [element("g", *labels, class_="numbers", aria_hidden="true")] if labels else []
