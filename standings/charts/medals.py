"""The medals of a series, drawn as medals with place and year."""

from collections.abc import Sequence
from itertools import accumulate
from math import ceil
from operator import itemgetter
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.svg import Figure, FigureTable, drawing, element, percent, svg_link, text, titled

SHOWN = 12  # medallists drawn; the table lists all
NAME, LINE, RADIUS = 24, 56, 10  # pixels: height of a name and of a line of medals, radius of a medal
IN_A_LINE = 10  # medals that phones have room for, with their years
RIBBON = "M-9-21h7l4 9-5 4zM9-21h-7l-4 9 5 4z"  # its two halves cross above the centre of the medal


class Medallist(NamedTuple):
    """A competitor with (place, year) of its medals by edition. `address`: its URL in the latest edition."""

    name: str
    address: str
    medals: Sequence[tuple[int, str]]


def medal_chart(medallists: Sequence[Medallist]) -> Figure | None:
    """Return the medals of a series as a chart, most first places on top. None if there are none."""
    if not medallists:
        return None
    table = FigureTable(
        _("Medals by year"),
        [_("name"), *(_("place %(place)s") % {"place": place} for place in (1, 2, 3))],
        [
            [
                each.name,
                *(", ".join(year for won, year in each.medals if won == place) for place in (1, 2, 3)),
            ]
            for each in medallists
        ],
    )
    caption = _("A medal for each first, second and third place, with the year.")
    label = _(
        "Medals of %(count)s; %(name)s has the most first places. The years are in the table below."
    ) % {"count": len(medallists), "name": medallists[0].name}
    shown = medallists[:SHOWN]
    heights = [NAME + LINE * ceil(len(each.medals) / IN_A_LINE) for each in shown]
    rows = map(_medallist_row, shown, accumulate(heights, initial=0))
    svg = drawing(*rows, label=label, height=sum(heights), links=True)
    return Figure(_("Medals"), svg, caption, table, css="medals")


def _medallist_row(medallist: Medallist, top: int) -> SafeString:
    medals = (
        element(
            "svg",
            titled(f"{year}: {place}"),
            element("path", class_="ribbon", d=RIBBON),
            element("circle", class_=f"medal-{place}", r=RADIUS),
            text(place, class_="on-medal", y=4, text_anchor="middle"),
            text(year, class_="tick", y=RADIUS + 13, text_anchor="middle"),
            x=percent(100 * (at % IN_A_LINE + 0.5) / IN_A_LINE),
            y=top + NAME + LINE * (at // IN_A_LINE) + 24,
            overflow="visible",
        )
        for at, (place, year) in enumerate(sorted(medallist.medals, key=itemgetter(0)))
    )
    name = svg_link(medallist.address, text(medallist.name, x=0, y=top + 16))
    return element("g", name, *medals)
