"""Sparklines of a competitor's place after each round."""

from collections.abc import Sequence
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.scales import HEIGHT, PlaceScale, unbroken
from standings.charts.svg import drawing, element, polyline
from standings.tables.sheet import StandingsSheet
from standings.tables.sorting import TableColumn

WIDTH, UPRIGHT, EDGE = 66, 18, 3  # pixels: width, height, margin for the dots


def places_sparkline(places: Sequence[int], scale: PlaceScale) -> SafeString:
    """Return the line of the places after each round, 0 for none. Empty if there are fewer than two.

    Colours are attributes, so that the line can be used on pages without `charts.css`.
    """
    if len(places) < 2:
        return SafeString("")
    across = (WIDTH - 2 * EDGE) / (len(places) - 1)
    points = [
        (EDGE + at * across, EDGE + scale.height_of(place) * (UPRIGHT - 2 * EDGE) / HEIGHT if place else None)
        for at, place in enumerate(places)
    ]
    parts = unbroken(points)
    listed = ", ".join(str(place or "–") for place in places)
    return drawing(
        *(polyline(part, fill="none", stroke="currentColor", stroke_width=1.5) for part in parts),
        *(
            element("circle", cx=x, cy=y, r=2.2, fill="currentColor")
            for x, y in (part[-1] for part in parts[-1:])
        ),
        label=_("Place after each round: %(places)s") % {"places": listed},
        width=WIDTH,
        height=UPRIGHT,
        view_box=(WIDTH, UPRIGHT),
        class_="course",
    )


def scale_of(places: Sequence[Sequence[int]]) -> PlaceScale:
    return PlaceScale(max((1, *(place for after in places for place in after))))


def places_column(sheet: StandingsSheet, places: Sequence[Sequence[int]]) -> TableColumn:
    """Return the lines as a column of the standings. `places`: by round, in the order of the crosstable."""
    rounds = places[: sheet.standings.table.rounds]
    scale = scale_of(rounds)
    name = _("Place after each round")
    label = escape(_("places"))
    cells = [
        f'<td role=cell class=places data-label="{label}">{places_sparkline(each, scale)}'
        for each in zip(*rounds, strict=True)
    ]
    return TableColumn("places", _("places"), name, "places", cells)
