"""The medals of a series as stacked blocks with place and year."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.svg import Figure, FigureTable, drawing, element, percent, svg_link, text, titled

SHOWN = 12  # medallists drawn; the table lists all
ROW, NAME, BLOCK = 44, 16, 20  # pixels: height of a row, baseline of the name, height of a block
WIDEST = 8  # maximum width of a block, per cent


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
    caption = _("A block for each medal: first places, then second, then third.")
    label = _(
        "Medals of %(count)s; %(name)s has the most first places. The years are in the table below."
    ) % {
        "count": len(medallists),
        "name": medallists[0].name,
    }
    shown = medallists[:SHOWN]
    width = min(WIDEST, 100 / max(len(each.medals) for each in shown))
    rows = (_medallist_row(each, at * ROW, width) for at, each in enumerate(shown))
    svg = drawing(*rows, label=label, height=len(shown) * ROW, links=True)
    return Figure(_("Medals"), svg, caption, table, css="medals")


def _medallist_row(medallist: Medallist, top: int, width: float) -> SafeString:
    blocks = (
        element(
            "g",
            titled(f"{medal.year}: {medal.place}"),
            element(
                "rect",
                class_=f"medal-{medal.place}",
                x=percent(at * width),
                y=top + NAME + 6,
                width=percent(width - 0.4),
                height=BLOCK,
                rx=2,
            ),
            text(
                medal.place,
                class_=f"on-{medal.place}",
                x=percent((at + 0.5) * width - 0.2),
                y=top + NAME + 20,
                text_anchor="middle",
            ),
        )
        for at, medal in enumerate(sorted(medallist.medals, key=lambda medal: medal.place))
    )
    name = svg_link(medallist.address, text(medallist.name, x=0, y=top + NAME))
    return element("g", name, *blocks)
