"""The race chart: the positions of the first ten after each round as lines; and sparklines of places.

Swiss events show places, on a scale with most room for the top. Round robins show the points behind the
leader, because places have little meaning before all have met.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import accumulate
from math import ceil

import numpy as np
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from standings.basis import Basis
from standings.charts import svg
from standings.charts.scales import HEIGHT, BehindScale, PlaceScale, unbroken
from standings.engine import Crosstable
from standings.services import last_round_with_places
from standings.tables.sheet import StandingsSheet
from standings.tables.sorting import TableColumn
from tournaments.event.arrays import CompetitorInfo

FIRST = 10  # number of lines shown at first
MOST_LINES = 250  # with more competitors, only the first are drawn and others cannot be selected

TOP, FOOT = 12, 26  # pixels: margin above and below the lines
ACROSS = 1000  # width of the stretched part in SVG units
APART = 24  # pixels: minimum touch distance between names and between rounds
STARTS_APART = 15  # pixels: minimum distance of the names at the start, which are no links
NARROW_PLOT, WIDE_PLOT = 110, 480  # pixels: width of the lines on phones and on desktops
ROOM = 4  # CSS classes for label width exist in steps of this number of characters
LONGEST, LONGEST_NARROW = 32, 14  # characters of a name at the end, with its place
LONGEST_START, LONGEST_NARROW_START = 16, 7
COLOURED = 3  # lines of the first places are coloured
WIDTH, UPRIGHT, EDGE = 66, 18, 3  # pixels: width and height of a sparkline, margin for its dots

Values = list[int | None]


@dataclass(frozen=True)
class Runner:
    """A competitor in the race.

    `values`: after each round, None if there is none. `short`: the name where there is little room.
    """

    entry: CompetitorInfo
    place: int
    values: Values
    short: str

    @property
    def css(self) -> str:
        return f" place-{self.place}" if self.place <= COLOURED else ""


@dataclass(frozen=True)
class Race:
    """The runners by round with their scale. `first`: drawn. `others`: hidden until selected."""

    first: list[Runner]
    others: list[Runner]
    scale: PlaceScale | BehindScale
    rounds: int
    address: str

    @cached_property
    def across(self) -> list[int]:
        return [round(at * ACROSS / (self.rounds - 1)) for at in range(self.rounds)]

    def height(self, runner: Runner, at: int) -> int:
        return round(self.scale.height_of(runner.values[at] or 0))


def race_of(
    sheet: StandingsSheet, places: Sequence[Sequence[int]], *, everybody: bool = False
) -> svg.Figure | None:
    """Return the race up to the last round of the sheet. None before two rounds have results.

    A live event ends with its last complete round, because no places exist after later ones.

    `places`: after each round, by row of the crosstable. `everybody`: include all others as hidden lines that
    readers can select.
    """
    rounds, placed = rounds_of_race(sheet), [row for row in sheet.rows if row.place]
    if not rounds:
        return None
    rows = [row.competitor for row in placed]
    if sheet.event.is_round_robin:
        behind = points_behind(sheet.standings.table, rows, rounds)
        values: dict[int, Values] = {row: [*each] for row, each in zip(rows, behind, strict=True)}
        scale: PlaceScale | BehindScale = BehindScale(max(max(each) for each in behind[:FIRST]))
    else:
        after_rounds = places[:rounds]
        values = {row: [after[row] or None for after in after_rounds] for row in rows}
        scale = PlaceScale(max(value for each in values.values() for value in each if value))
    runners = []
    for row in placed:
        entry, short = sheet.entries[row.competitor], sheet.short_name(row.competitor)
        runners.append(Runner(entry, row.place or 0, values[row.competitor], short))
    others = runners[FIRST:] if everybody and len(runners) <= MOST_LINES else []
    return _race_figure(Race(runners[:FIRST], others, scale, rounds, sheet.address))


def rounds_of_race(sheet: StandingsSheet) -> int:
    rounds = rounds_with_results(sheet.basis) if sheet.event.knows_round_order else 0
    rounds = min(rounds, last_round_with_places(sheet.event, sheet.standings.table))
    is_race = rounds > 1 and sum(1 for row in sheet.rows if row.place) > 1 and not sheet.as_computed
    return rounds if is_race else 0


def rounds_with_results(basis: Basis) -> int:
    """Return the last round with a result. Rounds that are only paired do not count."""
    return basis.round - (basis.round > 0 and basis.pending == basis.paired)


def points_behind(table: Crosstable, rows: Sequence[int], rounds: int) -> list[list[int]]:
    """Return for each row the half-points behind the best of these rows, after each round."""
    totals = (table.points() + table.bonus(table.scale)).cumsum(axis=1)[list(rows), :rounds]
    if rounds == table.rounds:
        totals[:, -1] += table.final_bonus(table.scale)[list(rows)]
    behind: list[list[int]] = (np.max(totals, axis=0) - totals).tolist()
    return behind


# --- drawing ------------------------------------------------------------------------------------------------


def _race_figure(race: Race) -> svg.Figure:
    caption = _(
        "Colours show the first three places. A round number links to the standings after that round, a name "
        "at the right to the results of the competitor."
    )
    table = svg.FigureTable(
        race.scale.heading,
        [_("round"), *map(str, range(1, race.rounds + 1))],
        [
            [
                runner.entry.name,
                *("–" if value is None else race.scale.said(value) for value in runner.values),
            ]
            for runner in race.first
        ],
        [_card_url(race, runner) for runner in race.first],
    )
    return svg.Figure(
        race.scale.heading,
        _race_drawing(race),
        caption,
        table,
        css="race",
        hint=_("Tap a line or a name to highlight it. The lines of those that you follow are dashed."),
        shown=capfirst(_("after round %(number)s") % {"number": race.rounds}) + ".",
    )


def _race_drawing(race: Race) -> SafeString:
    """Return the drawing: rounds, lines, dots and names, with the first runner on top.

    Its links are not in the tab order, because the table of figures links to the cards.
    """
    last_on_top = race.first[::-1]
    plot = svg.element(
        "svg",
        *(_round_column(race, number) for number in range(1, race.rounds + 1)),
        svg.stretched(
            *(_hidden_line(race, runner) for runner in race.others),
            *(_visible_line(race, runner) for runner in last_on_top),
            width=ACROSS,
            height=HEIGHT,
            overflow="visible",
            aria_hidden="true",
        ),
        *(_dots(race, runner) for runner in last_on_top),
        *_start_names(race),
        svg.element(
            "svg",
            *(_hidden_name(race, runner) for runner in race.others),
            *_runner_names(race),
            x="100%",
            overflow="visible",
        ),
        class_="plot",
        y=TOP,
        height=HEIGHT,
        overflow="visible",
    )
    # The scale and the names are in the padding that charts.css adds on both sides. It also moves the scale
    # to the left of the names.
    ticks = [(TOP + race.scale.height_of(value), tick) for value, tick in race.scale.ticks()]
    scale = (svg.text(tick, class_="tick scale", x=0, y=y + 4, text_anchor="end") for y, tick in ticks)
    levels = (svg.element("line", class_="grid", x1=0, x2="100%", y1=y, y2=y) for y, _tick in ticks)
    label = _("%(heading)s: the first %(count)s, led by %(leader)s. The figures are in the table below.")
    values = {"heading": race.scale.heading, "count": len(race.first), "leader": race.first[0].entry.name}
    rooms = (
        f"{prefix}-{min(ceil(max(len(name(runner)) for runner in race.first) / ROOM) * ROOM, LONGEST)}"
        for prefix, name in ROOMS.items()
    )
    return svg.drawing(
        *levels,
        *scale,
        plot,
        label=label % values,
        height=TOP + HEIGHT + FOOT,
        links=True,
        class_=" ".join(rooms),
    )


def _wide_name(runner: Runner) -> str:
    return svg.shortened(f"{runner.place} {runner.entry.name}", LONGEST)


def _narrow_name(runner: Runner) -> str:
    return svg.shortened(f"{runner.place} {runner.short}", LONGEST_NARROW)


def _wide_start(runner: Runner) -> str:
    name = runner.entry.name
    return name if len(name) <= LONGEST_START else svg.shortened(runner.short, LONGEST_START)


def _narrow_start(runner: Runner) -> str:
    return svg.shortened(runner.short, LONGEST_NARROW_START)


ROOMS = {"wide": _wide_name, "narrow": _narrow_name, "wide-start": _wide_start, "narrow-start": _narrow_start}
"""The CSS classes of the room for labels, and the labels."""


def _x_of(race: Race, number: int) -> float:
    return 100 * (number - 1) / (race.rounds - 1)


def _round_column(race: Race, number: int) -> SafeString:
    gaps = race.rounds - 1
    x, step = svg.percent(_x_of(race, number)), 100 / gaps
    left = svg.percent(_x_of(race, number) - step / 2)
    # Labels without enough room are hidden on phones or on all screens, counted from the last round.
    back, hidden = race.rounds - number, ""
    if back % ceil(APART * gaps / WIDE_PLOT):
        hidden = " not-wide not-narrow"
    elif back % ceil(APART * gaps / NARROW_PLOT):
        hidden = " not-narrow"
    return svg.svg_link(
        f"{race.address}standings/after/{number}/",
        svg.element("rect", class_="hit", x=left, y=0, width=svg.percent(step), height=HEIGHT + FOOT),
        svg.element("line", class_="grid", x1=x, x2=x, y1=0, y2=HEIGHT),
        svg.text(number, class_="tick", x=x, y=HEIGHT + FOOT - 6, text_anchor="middle"),
        aria_label=_("Standings up to round %(number)s") % {"number": number},
        class_=f"round{hidden}",
        tabindex=-1,
    )


def _visible_line(race: Race, runner: Runner) -> SafeString:
    parts = _line_parts(race, runner)
    hit = [svg.element("polyline", points=part, class_="hit") for part in parts]
    drawn = [svg.element("polyline", points=part) for part in parts]
    return svg.element("g", *hit, *drawn, class_=f"line{runner.css}", data_number=runner.entry.number)


def _hidden_line(race: Race, runner: Runner) -> SafeString:
    # Without `element` for speed, as the names below: of two hundred lines most are never shown.
    begin = f'<polyline class="line other" data-number="{runner.entry.number}" points="'
    return SafeString("".join(f'{begin}{part}"/>' for part in _line_parts(race, runner)))


def _line_parts(race: Race, runner: Runner) -> list[SafeString]:
    points = (
        (across, None if value is None else round(race.scale.height_of(value)))
        for across, value in zip(race.across, runner.values, strict=True)
    )
    return [SafeString(" ".join(f"{x},{y}" for x, y in part)) for part in unbroken(points)]


def _dots(race: Race, runner: Runner) -> SafeString:
    name, scale = runner.entry.name, race.scale
    dots = (
        svg.element(
            "circle",
            svg.titled(scale.spoken(name, value, number)),
            cx=svg.percent(_x_of(race, number)),
            cy=scale.height_of(value),
            r=3,
        )
        for number, value in enumerate(runner.values, start=1)
        if value is not None
    )
    return svg.element("g", *dots, class_=f"dots{runner.css}", data_number=runner.entry.number)


def _card_url(race: Race, runner: Runner) -> str:
    return f"{race.address}competitors/{runner.entry.number}/"


def _start_names(race: Race) -> list[SafeString]:
    """Return the names at the start, in the order of the lines there. Late entries have none."""
    runners = [runner for runner in race.first if runner.values[0] is not None]
    runners.sort(key=lambda runner: race.height(runner, 0))
    starts = [race.height(runner, 0) for runner in runners]
    heights = spread_heights(starts, STARTS_APART, HEIGHT)
    return [
        svg.element(
            "g",
            svg.polyline([(-5, start), (-16, height)], class_="lead"),
            svg.text(_wide_start(runner), class_="wide", x=-19, y=height + 4, text_anchor="end"),
            svg.text(_narrow_start(runner), class_="narrow", x=-19, y=height + 4, text_anchor="end"),
            class_=f"start{runner.css}",
            data_number=runner.entry.number,
        )
        for runner, start, height in zip(runners, starts, heights, strict=True)
    ]


def _runner_names(race: Race) -> list[SafeString]:
    ends = [race.height(runner, -1) for runner in race.first]
    heights = spread_heights(ends, APART, HEIGHT)
    return [
        svg.svg_link(
            _card_url(race, runner),
            svg.element(
                "rect", class_="hit", x=4, y=height - 12, width=9 * len(_narrow_name(runner)), height=APART
            ),
            svg.polyline([(4, end), (16, height)], class_="lead"),
            svg.text(_wide_name(runner), class_="wide", x=20, y=height + 4),
            svg.text(_narrow_name(runner), class_="narrow", x=20, y=height + 4),
            class_=f"end{runner.css}",
            tabindex=-1,
            data_number=runner.entry.number,
        )
        for runner, end, height in zip(race.first, ends, heights, strict=True)
    ]


def _hidden_name(race: Race, runner: Runner) -> SafeString:
    height = race.height(runner, -1) - 6
    begin = f'<text class="other" data-number="{runner.entry.number}" x="-6" y="{height}" text-anchor="end">'
    return SafeString(f"{begin}{escape(_narrow_name(runner))}</text>")


def spread_heights(heights: Sequence[float], apart: float, most: float) -> list[float]:
    """Return the heights in the same order, moved down to be at least `apart` from the previous one.

    If this exceeds `most`, they are moved up from there.
    """
    found = list(accumulate(heights, lambda above, height: max(height, above + apart)))
    for at in range(len(found) - 1, -1, -1):
        floor = most if at == len(found) - 1 else found[at + 1] - apart
        found[at] = min(found[at], floor)
    return found


# --- sparklines ---------------------------------------------------------------------------------------------


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
    return svg.drawing(
        *(svg.polyline(part, fill="none", stroke="currentColor", stroke_width=1.5) for part in parts),
        *(
            svg.element("circle", cx=x, cy=y, r=2.2, fill="currentColor")
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
