"""The scatter chart of rating and performance. Players above the diagonal performed above their rating."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts import svg
from standings.statistics.scorers import Scorers
from tournaments.event.arrays import CompetitorInfo

HEIGHT, TOP, FOOT = (
    320,
    12,
    40,
)  # pixels: height of the plot, and its margins; charts.css has those at the sides
ACROSS = 1000  # width of the stretched part in SVG units
MARGIN = 25  # rating points below the lowest and above the highest
STEPS = (50, 100, 200, 500, 1000)
MOST_TICKS = 7
FEWEST = 3  # minimum number of rated players for a chart
MOST = 150  # maximum number of dots, so that the page remains small


class RatedPerformance(NamedTuple):
    entry: CompetitorInfo
    rating: int
    performance: int

    @property
    def gain(self) -> int:
        return self.performance - self.rating


@dataclass(frozen=True)
class RatingScale:
    """A linear scale from the lowest to the highest rating."""

    low: int
    high: int

    def share(self, rating: int) -> float:
        return (rating - self.low) / (self.high - self.low)

    def ticks(self) -> list[int]:
        spread = self.high - self.low
        step = next((step for step in STEPS if spread // step <= MOST_TICKS), STEPS[-1])
        return list(range(-(-self.low // step) * step, self.high + 1, step))


def rated_performances(scorers: Scorers) -> list[RatedPerformance]:
    """Return the players with rating and performance in the order of the scorers. Empty for team events."""
    if scorers.event.is_team:
        return []
    ratings = ((each.entry, each.rating, each.player_rating.performance) for each in scorers.everybody)
    return [
        RatedPerformance(entry, rating, performance)
        for entry, rating, performance in ratings
        if rating and performance is not None
    ]


def scatter_of(scorers: Scorers, address: str) -> svg.Figure | None:
    players = rated_performances(scorers)[:MOST]
    if len(players) < FEWEST:
        return None
    best = max(players, key=lambda player: player.gain)
    caption = _(
        "Each dot is a player: rating from left to right, performance rating upwards. Full dots, above the "
        "line, did better than their rating; rings did not."
    )
    furthest = [each for each in players if each.gain == best.gain]
    if best.gain > 0 and len(furthest) == 1:
        did_best = _("%(name)s did best relative to the rating: %(performance)s with %(rating)s.")
        values = {"name": best.entry.name, "performance": best.performance, "rating": best.rating}
        caption = f"{caption} {did_best % values}"
    table = svg.FigureTable(
        _("Ratings and performance ratings"),
        [_("player"), _("rating"), _("performance"), _("difference")],
        [
            [each.entry.name, str(each.rating), str(each.performance), f"{each.gain:+d}".replace("-", "−")]
            for each in players
        ],
    )
    label = _("Ratings and performance ratings of %(count)s players; %(name)s did best: %(gain)s above.") % {
        "count": len(players),
        "name": best.entry.name,
        "gain": best.gain,
    }
    heading = _("Rating and performance")
    return svg.Figure(heading, _scatter_drawing(players, address, label), caption, table, css="scatter")


def _scatter_drawing(players: Sequence[RatedPerformance], address: str, label: str) -> SafeString:
    ratings = [each.rating for each in players]
    performances = [each.performance for each in players]
    across = RatingScale(min(ratings) - MARGIN, max(ratings) + MARGIN)
    upward = RatingScale(min(performances) - MARGIN, max(performances) + MARGIN)
    levels = [(rating, _y_of(upward, rating)) for rating in upward.ticks()]
    diagonal = svg.element(
        "line",
        class_="equals",
        x1=0,
        x2=ACROSS,
        y1=_y_of(upward, across.low),
        y2=_y_of(upward, across.high),
    )
    columns = []
    for rating in across.ticks():
        x = svg.percent(100 * across.share(rating))
        line = svg.element("line", class_="grid", x1=x, x2=x, y1=0, y2=HEIGHT)
        label_below = svg.text(rating, class_="tick", x=x, y=HEIGHT + 16, text_anchor="middle")
        columns.append(svg.element("g", line, label_below))
    plot = svg.element(
        "svg",
        *(svg.element("line", class_="grid", x1=0, x2="100%", y1=y, y2=y) for _rating, y in levels),
        *columns,
        svg.stretched(diagonal, width=ACROSS, height=HEIGHT, aria_hidden="true"),
        *(_dot(each, across, upward, address) for each in players),
        class_="plot",
        y=TOP,
        height=HEIGHT,
        overflow="visible",
    )
    ticks = (svg.text(rating, class_="tick", x=-8, y=TOP + y + 4, text_anchor="end") for rating, y in levels)
    below = svg.text(_("rating"), class_="tick", x="100%", y=TOP + HEIGHT + 34, text_anchor="end")
    return svg.drawing(*ticks, plot, below, label=label, height=TOP + HEIGHT + FOOT, links=True)


def _y_of(upward: RatingScale, rating: int) -> float:
    return HEIGHT * (1 - upward.share(rating))


def _dot(player: RatedPerformance, across: RatingScale, upward: RatingScale, address: str) -> SafeString:
    share = across.share(player.rating)
    x, y = svg.percent(100 * share), _y_of(upward, player.performance)
    words = {"name": player.entry.name, "rating": player.rating, "performance": player.performance}
    tooltip = _("%(name)s: rating %(rating)s, performance %(performance)s") % words
    return svg.svg_link(
        f"{address}competitors/{player.entry.number}/",
        svg.titled(tooltip),
        svg.element("circle", class_="better" if player.gain > 0 else "ring", cx=x, cy=y, r=4.5),
        data_number=player.entry.number,
        tabindex=-1,  # not in the tab order, because the table has the same links
    )
