"""The medals of a series: a block for each, one upon the other, with its place and the year."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.figure import Figure, FigureTable
from standings.charts.svg import drawing, element, link, percent, text, titled

SHOWN = 12
"""So many of those with medals are drawn; the table beside the picture has all."""
ROW, NAME, BLOCK = 44, 16, 20
"""Pixels from one competitor to the next, to the foot of its name, and of a block's height."""
WIDEST = 8
"""Per cent of the width that a block takes at most."""


class Medal(NamedTuple):
    """A place among the first three of an edition."""

    place: int
    year: str


class Medallist(NamedTuple):
    """Who won medals, in the order of the editions, and its page in the latest one."""

    name: str
    address: str
    medals: Sequence[Medal]


def medals_of(medallists: Sequence[Medallist]) -> Figure | None:
    """Return the medals of a series as blocks, the most first ones on top; None without any."""
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
    caption = _("A block for each medal: first places, then second and third ones.")
    label = _("Medals of %(count)s; %(name)s has the most first places. The years follow as a table.") % {
        "count": len(medallists),
        "name": medallists[0].name,
    }
    return Figure(_("Medals"), _drawn(medallists[:SHOWN], label), caption, table, css="medals")


def _years(medallist: Medallist, place: int) -> str:
    return ", ".join(medal.year for medal in medallist.medals if medal.place == place)


def _drawn(medallists: Sequence[Medallist], label: str) -> SafeString:
    most = max(len(each.medals) for each in medallists)
    width = min(WIDEST, 100 / most)
    rows = (_row(each, at * ROW, width) for at, each in enumerate(medallists))
    return drawing(*rows, label=label, height=len(medallists) * ROW, links=True)


def _row(medallist: Medallist, top: int, width: float) -> SafeString:
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
    name = link(medallist.address, text(medallist.name, x=0, y=top + NAME))
    return element("g", name, *blocks)
