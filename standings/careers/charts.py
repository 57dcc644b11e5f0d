"""Line charts of a career: places and recorded ratings by event.

Events have equal distances regardless of their dates, so that they do not overlap.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from standings.careers.participation import Participation
from standings.careers.tables import card_of, career_place_text
from standings.charts import svg
from standings.charts.scales import HEIGHT as SCALE_HEIGHT
from standings.charts.scales import PlaceScale, unbroken
from standings.charts.scatter import RatingScale

LEFT, TOP, HEIGHT, FOOT = 40, 12, 180, 26  # pixels: left and top margin, height of the lines, bottom margin
ACROSS = 1000  # width of the stretched part in SVG units
WIDTH = "85%"  # leaves room on phones for the scale and the radius of the last dot
YEARS_APART = 16  # minimum distance of years, per cent of the width (for phones)
TICKS_APART = 13  # minimum pixels between two ticks
MARGIN = 20  # rating points below the lowest and above the highest
LEAST_LAST = 5
"""The scale reaches at least this place, so that a career of first places is a line at the top."""
FEWEST = 2  # minimum number of events for a line


def places_over_events(career: Sequence[Participation]) -> svg.Figure | None:
    """Return the chart of places by event, oldest first. None if fewer than two events have a place."""
    over = [each for each in career if each.event.is_over]
    placed = [each.placed for each in over if each.placed]
    if len(placed) < FEWEST:
        return None
    scale = PlaceScale(max(*placed, LEAST_LAST))
    factor = HEIGHT / SCALE_HEIGHT
    label = _("Places in %(count)s events, the best is %(best)s. The figures are in the table below.")
    return _career_figure(
        over,
        [career_place_text(each.placed, each.ranked) for each in over],
        [scale.height_of(each.placed) * factor if each.placed else None for each in over],
        [(scale.height_of(place) * factor, str(place)) for place, _text in scale.ticks()],
        heading=_("Places, event by event"),
        column=_("place"),
        label=label % {"count": len(placed), "best": min(placed)},
        caption=_(
            "Each step is a finished event; first place is at the top. A dot links to the results there."
        ),
    )


def ratings_over_events(career: Sequence[Participation], rating_list: str) -> svg.Figure | None:
    """Return the chart of recorded ratings of a list. None if fewer than two events have one."""
    rated = [each for each in career if each.rating and each.has_comparable_ratings]
    if len(rated) < FEWEST:
        return None
    low, high = min(each.rating for each in rated), max(each.rating for each in rated)
    scale = RatingScale(low - MARGIN, high + MARGIN)
    label = _("Ratings from %(low)s to %(high)s in %(count)s events. The figures are in the table below.")
    return _career_figure(
        rated,
        [str(each.rating) for each in rated],
        [HEIGHT * (1 - scale.share(each.rating)) for each in rated],
        [(HEIGHT * (1 - scale.share(rating)), str(rating)) for rating in reversed(scale.ticks())],
        heading=_("Ratings, event by event: %(list)s") % {"list": rating_list},
        column=_("rating"),
        label=label % {"low": low, "high": high, "count": len(rated)},
        caption=_("Ratings as recorded by the events. Events without a rating are left out."),
    )


def _career_figure(
    career: Sequence[Participation],
    texts: Sequence[str],
    heights: Sequence[float | None],
    ticks: Sequence[tuple[float, str]],
    *,
    heading: str,
    column: str,
    label: str,
    caption: str,
) -> svg.Figure:
    """Return the figure. Its links are not in the tab order, because the table contains them too."""
    ticks = _without_overlaps(ticks)
    shares = [at / (len(career) - 1) for at in range(len(career))]
    # A player's place in a team event is the team's.
    names = [f"{each.event.name} · {each.team}" if each.team else each.event.name for each in career]
    across = [(share * ACROSS, height) for share, height in zip(shares, heights, strict=True)]
    lines = [svg.polyline(part, class_="course-line") for part in unbroken(across)]
    dots = [
        svg.svg_link(
            card_of(each),
            svg.titled(f"{name}: {text}"),
            svg.element("circle", class_="hit", cx=svg.percent(100 * share), cy=height, r=12),
            svg.element("circle", class_="dot", cx=svg.percent(100 * share), cy=height, r=3.5),
            tabindex=-1,
        )
        for each, name, text, share, height in zip(career, names, texts, shares, heights, strict=True)
        if height is not None
    ]
    plot = svg.element(
        "svg",
        *(svg.element("line", class_="grid", x1=0, x2="100%", y1=y, y2=y) for y, _tick in ticks),
        svg.stretched(*lines, width=ACROSS, height=HEIGHT, overflow="visible", aria_hidden="true"),
        *dots,
        *(
            svg.text(year, class_="tick", x=svg.percent(100 * share), y=HEIGHT + 20, text_anchor="middle")
            for share, year in _year_ticks(career, shares)
        ),
        class_="plot",
        x=LEFT,
        y=TOP,
        width=WIDTH,
        height=HEIGHT,
        overflow="visible",
    )
    marks = (
        svg.text(tick, class_="tick", x=LEFT - 10, y=TOP + y + 4, text_anchor="end") for y, tick in ticks
    )
    drawn = svg.drawing(*marks, plot, label=label, height=TOP + HEIGHT + FOOT, links=True)
    table = svg.FigureTable(
        heading,
        [_("event"), _("year"), column],
        [[name, str(each.year or ""), text] for name, each, text in zip(names, career, texts, strict=True)],
        [card_of(each) for each in career],
    )
    return svg.Figure(heading, drawn, caption, table, css="career")


def _without_overlaps(ticks: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    spaced: list[tuple[float, str]] = []
    for height, tick in sorted(ticks):
        if not spaced or height - spaced[-1][0] >= TICKS_APART:
            spaced.append((height, tick))
    return spaced


def _year_ticks(career: Sequence[Participation], shares: Sequence[float]) -> list[tuple[float, int]]:
    years: list[tuple[float, int]] = []
    before = 0
    for each, share in zip(career, shares, strict=True):
        if each.year and each.year != before:
            before = each.year
            if not years or 100 * (share - years[-1][0]) >= YEARS_APART:
                years.append((share, each.year))
    return years
