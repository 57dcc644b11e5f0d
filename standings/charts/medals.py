"""The medals of a series, drawn as medals with place and year."""

from collections.abc import Sequence
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.svg import Figure, FigureTable, drawing, element, percent, svg_link, text, titled

SHOWN = 12  # medallists drawn; the table lists all
NAME, LINE, RADIUS = 24, 56, 10  # pixels: height of a name and of a line of medals, radius of a medal
IN_A_LINE = 10  # medals that phones have room for, with their years
RIBBON = "M-9-21h7l4 9-5 4zM9-21h-7l-4 9 5 4z"  # its two halves cross above the centre of the medal


class Medal(NamedTuple):
    place: int
    year: str


class Medallist(NamedTuple):
    """A competitor with medals in order of the editions. `address`: its URL in the latest edition."""

    name: str
    address: str
    medals: Sequence[Medal]


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
                *(
                    ", ".join(medal.year for medal in each.medals if medal.place == place)
                    for place in (1, 2, 3)
                ),
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
            titled(f"{medal.year}: {medal.place}"),
            element("path", class_="ribbon", d=RIBBON),
            element("circle", class_=f"medal-{medal.place}", r=RADIUS),
            text(medal.place, class_="on-medal", y=4, text_anchor="middle"),
            text(medal.year, class_="tick", y=RADIUS + 13, text_anchor="middle"),
            x=percent(100 * (at % IN_A_LINE + 0.5) / IN_A_LINE),
            y=top + NAME + LINE * (at // IN_A_LINE) + 24,
            overflow="visible",
        )
        for at, medal in enumerate(sorted(medallist.medals, key=lambda medal: medal.place))
    )
    name = svg_link(medallist.address, text(medallist.name, x=0, y=top + 16))
    return element("g", name, *medals)
