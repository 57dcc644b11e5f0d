"""The race: where the first ten stood after each round, as lines from the first round to the last.

Of a Swiss the places, on a scale that gives the top its room. Of a round robin the points behind the leader:
there a place says little before everybody has met.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import groupby
from math import ceil

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.basis import Basis
from standings.charts.figure import Figure, FigureTable
from standings.charts.scales import HEIGHT, BehindScale, PlaceScale, RaceScale
from standings.charts.svg import drawing, element, link, percent, polyline, stretched, text, titled
from standings.engine import Crosstable
from standings.services import places_known_after
from standings.tables.sheet import StandingsSheet
from tournaments.event.arrays import Entry

FIRST = 10
"""So many from the top are drawn for everybody to see."""
MOST_LINES = 250
"""Of more competitors only the first are drawn, not those that somebody follows."""

TOP, FOOT = 12, 26
"""Pixels above and below the lines."""
ACROSS = 1000
"""Units from the first round to the last, in the part of the picture that stretches."""
APART = 24
"""Pixels from one name to the next, and from one round to the next: what a finger needs."""
NARROW_PLOT, WIDE_PLOT = 180, 600
"""Pixels from the first round to the last on a phone, and on a screen."""
ROOM = 4
"""The room beside the lines comes in steps of so many signs, a class each."""
LONGEST = 32

Values = list[int | None]


@dataclass(frozen=True)
class Runner:
    """A competitor in the race, and the value after each round; None where it has none.

    `short` is what it is called where there is little room.
    """

    entry: Entry
    place: int
    values: Values
    short: str
    is_chosen: bool = False

    @property
    def css(self) -> str:
        """Return the class that highlights it, where it is the one that the server chose."""
        return " chosen" if self.is_chosen else ""


@dataclass(frozen=True)
class Race:
    """The first of an event and all others, round by round, and what the race is run in."""

    first: list[Runner]
    others: list[Runner]
    scale: RaceScale
    rounds: int
    address: str

    @cached_property
    def across(self) -> list[int]:
        """Return how far across each round stands, in units of `ACROSS`."""
        return [round(at * ACROSS / (self.rounds - 1)) for at in range(self.rounds)]

    @cached_property
    def heights(self) -> dict[int, int]:
        """Return the height of every value that somebody has, in whole pixels."""
        # Each once: of a Swiss of two hundred there are two thousand points.
        values = {
            value for runner in (*self.first, *self.others) for value in runner.values if value is not None
        }
        return {value: round(self.scale.height_of(value)) for value in values}


def race_of(
    sheet: StandingsSheet, places: Sequence[Sequence[int]], *, everybody: bool = False
) -> Figure | None:
    """Return the race up to the last round of the sheet; None before two rounds have results.

    Of a live event it ends with the last complete round, because nobody has a place after a later one.

    `places` are those after each round, by row of the crosstable. `everybody`: also who is not among the
    first, unseen until somebody follows them.
    """
    rounds = rounds_with_results(sheet.basis) if sheet.event.knows_round_order else 0
    rounds = min(rounds, places_known_after(sheet.event, sheet.standings.table))
    placed = [row for row in sheet.rows if row.place]
    if rounds < 2 or len(placed) < 2 or sheet.as_computed:
        return None
    rows = [row.competitor for row in placed]
    if sheet.event.is_round_robin:
        behind = points_behind(sheet.standings.table, rows, rounds)
        values: dict[int, Values] = {row: [*each] for row, each in zip(rows, behind, strict=True)}
        scale: RaceScale = BehindScale(max(max(each) for each in behind[:FIRST]))
    else:
        after_rounds = places[:rounds]
        values = {row: [after[row] or None for after in after_rounds] for row in rows}
        scale = PlaceScale(max(value for each in values.values() for value in each if value))
    runners = [
        Runner(entry, row.place or 0, values[row.competitor], _short(sheet, entry))
        for row in placed
        for entry in [sheet.entries[row.competitor]]
    ]
    runners[0] = replace(runners[0], is_chosen=True)
    others = runners[FIRST:] if everybody and len(runners) <= MOST_LINES else []
    return _figure(Race(runners[:FIRST], others, scale, rounds, sheet.address))


def _short(sheet: StandingsSheet, entry: Entry) -> str:
    """Return the code of a team that has its own, else the family name, which a comma ends."""
    return entry.code if sheet.codes_tell else entry.name.partition(",")[0]


def rounds_with_results(basis: Basis) -> int:
    """Return the last round that has a result: one that is only paired moves nobody."""
    return basis.round - (basis.round > 0 and basis.pending == basis.paired)


def points_behind(table: Crosstable, rows: Sequence[int], rounds: int) -> list[list[int]]:
    """Return for each of these rows the half-points behind the best of them, after each round."""
    totals = (table.points() + table.bonus(table.scale)).cumsum(axis=1)[list(rows), :rounds]
    if rounds == table.rounds:
        totals[:, -1] += table.final_bonus(table.scale)[list(rows)]
    behind: list[list[int]] = (np.max(totals, axis=0) - totals).tolist()
    return behind


# --- the drawing --------------------------------------------------------------------------------------------


def _figure(race: Race) -> Figure:
    leader = race.first[0].entry.name
    caption = _(
        "%(leader)s is highlighted. A round number leads to the table after it, a name to its rounds."
    )
    table = FigureTable(
        race.scale.heading,
        [_("round"), *map(str, range(1, race.rounds + 1))],
        [
            [
                runner.entry.name,
                *("–" if value is None else race.scale.said(value) for value in runner.values),
            ]
            for runner in race.first
        ],
        [_card(race, runner) for runner in race.first],
    )
    return Figure(
        race.scale.heading,
        _drawn(race),
        caption % {"leader": leader},
        table,
        css="race",
        hint=_("Tap a line or a name for another."),
    )


def _drawn(race: Race) -> SafeString:
    """Return the picture: columns of rounds, lines, dots and names, the chosen one's on top of the others.

    Its links are no stops of the keyboard: the table of its figures has those to the cards.
    """
    drawn_last = sorted(race.first, key=lambda runner: runner.is_chosen)
    plot = element(
        "svg",
        *(_column(race, number) for number in range(1, race.rounds + 1)),
        stretched(
            *(_other_line(race, runner) for runner in race.others),
            *(_line(race, runner) for runner in drawn_last),
            width=ACROSS,
            height=HEIGHT,
            overflow="visible",
            aria_hidden="true",
        ),
        *(_dots(race, runner) for runner in drawn_last),
        element(
            "svg",
            *(_other_name(race, runner) for runner in race.others),
            *_names(race),
            x="100%",
            overflow="visible",
        ),
        class_="plot",
        y=TOP,
        height=HEIGHT,
        overflow="visible",
    )
    # The scale and the names stand in the padding that charts.css leaves on both sides.
    scale = (
        text(said, class_="tick", x=-10, y=TOP + race.scale.height_of(value) + 4, text_anchor="end")
        for value, said in race.scale.ticks()
    )
    label = _("%(heading)s: the first %(count)s, with %(leader)s in front. The figures follow as a table.")
    values = {"heading": race.scale.heading, "count": len(race.first), "leader": race.first[0].entry.name}
    wide, narrow = ([names(runner) for runner in race.first] for names in (_wide_name, _narrow_name))
    return drawing(
        *scale,
        plot,
        label=label % values,
        height=TOP + HEIGHT + FOOT,
        links=True,
        class_=f"{_room('wide', wide)} {_room('narrow', narrow)}",
    )


def _room(of: str, names: list[str]) -> str:
    """Return the class that leaves room for the longest of these names."""
    longest = max(map(len, names))
    return f"{of}-{min(ceil(longest / ROOM) * ROOM, LONGEST)}"


def _wide_name(runner: Runner) -> str:
    return f"{runner.place} {runner.entry.name}"


def _narrow_name(runner: Runner) -> str:
    return f"{runner.place} {runner.short}"


def _at(race: Race, number: int) -> float:
    """Return how far across a round stands, in hundredths."""
    return 100 * (number - 1) / (race.rounds - 1)


def _column(race: Race, number: int) -> SafeString:
    """Return a round: the link to the table after it, as high as the picture."""
    x, step = percent(_at(race, number)), 100 / (race.rounds - 1)
    left = percent(_at(race, number) - step / 2)
    return link(
        f"{race.address}standings/after/{number}/",
        element("rect", class_="hit", x=left, y=0, width=percent(step), height=HEIGHT + FOOT),
        element("line", class_="grid", x1=x, x2=x, y1=0, y2=HEIGHT),
        text(number, class_="tick", x=x, y=HEIGHT + FOOT - 6, text_anchor="middle"),
        aria_label=_("Standings up to round %(number)s") % {"number": number},
        class_=f"round{_left_out(race, number)}",
        tabindex=-1,
    )


def _left_out(race: Race, number: int) -> str:
    """Return the class of a round that has no room for a finger on a phone, or on any screen."""
    # Counted from the last one, which is never left out.
    back, gaps = race.rounds - number, race.rounds - 1
    if back % ceil(APART * gaps / WIDE_PLOT):
        return " not-wide not-narrow"
    return " not-narrow" if back % ceil(APART * gaps / NARROW_PLOT) else ""


def _line(race: Race, runner: Runner) -> SafeString:
    """Return the line of one of the first; a wide one under it takes the finger."""
    parts = _parts(race, runner)
    hit = [element("polyline", points=part, class_="hit") for part in parts]
    drawn = [element("polyline", points=part) for part in parts]
    return element("g", *hit, *drawn, class_=f"line{runner.css}", data_number=runner.entry.number)


def _other_line(race: Race, runner: Runner) -> SafeString:
    """Return the line of somebody else, unseen until somebody follows them."""
    # Not by `element`, as the names below: of two hundred nobody looks at most, and all are written.
    begin = f'<polyline class="line other" data-number="{runner.entry.number}" points="'
    return SafeString("".join(f'{begin}{part}"/>' for part in _parts(race, runner)))


def _parts(race: Race, runner: Runner) -> list[SafeString]:
    """Return the points of a line as an attribute has them, in parts where it had no place."""
    heights = race.heights
    points = [
        None if value is None else f"{across},{heights[value]}"
        for across, value in zip(race.across, runner.values, strict=True)
    ]
    if None not in points:
        return [SafeString(" ".join(filter(None, points)))]
    parts = groupby(points, key=lambda point: point is not None)
    return [SafeString(" ".join(filter(None, part))) for is_there, part in parts if is_there]


def _dots(race: Race, runner: Runner) -> SafeString:
    """Return a dot for each round, with what it says in words."""
    name, scale = runner.entry.name, race.scale
    dots = (
        element(
            "circle",
            titled(scale.spoken(name, value, number)),
            cx=percent(_at(race, number)),
            cy=scale.height_of(value),
            r=3,
        )
        for number, value in enumerate(runner.values, start=1)
        if value is not None
    )
    return element("g", *dots, class_=f"dots{runner.css}", data_number=runner.entry.number)


def _card(race: Race, runner: Runner) -> str:
    return f"{race.address}competitors/{runner.entry.number}/"


def _names(race: Race) -> list[SafeString]:
    """Return the names beside the ends of the lines, as far apart as fingers are, each a link to its card."""
    ends = [
        race.scale.height_of(runner.values[-1] or 0) if runner.values[-1] else 0.0 for runner in race.first
    ]
    heights = spread(ends, APART, HEIGHT)
    return [
        link(
            _card(race, runner),
            element(
                "rect",
                class_="hit",
                x=4,
                y=height - APART / 2,
                width=9 * len(_narrow_name(runner)),
                height=APART,
            ),
            polyline([(4, end), (16, height)], class_="lead"),
            text(_wide_name(runner), class_="wide", x=20, y=height + 4),
            text(_narrow_name(runner), class_="narrow", x=20, y=height + 4),
            class_=f"end{runner.css}",
            tabindex=-1,
            data_number=runner.entry.number,
        )
        for runner, end, height in zip(race.first, ends, heights, strict=True)
    ]


def _other_name(race: Race, runner: Runner) -> SafeString:
    """Return the name of somebody else above the end of the line, unseen until somebody follows them."""
    height = race.heights.get(runner.values[-1] or 0, 0) - 6
    begin = f'<text class="other" data-number="{runner.entry.number}" x="-6" y="{height}" text-anchor="end">'
    return SafeString(f"{begin}{escape(_narrow_name(runner))}</text>")


def spread(heights: Sequence[float], apart: float, most: float) -> list[float]:
    """Return the heights, in their order, moved so that each is so far below the one before it.

    Where that leads below `most`, all are moved up from there.
    """
    found: list[float] = []
    for height in heights:
        found.append(max(height, found[-1] + apart) if found else height)
    for at in range(len(found) - 1, -1, -1):
        floor = most if at == len(found) - 1 else found[at + 1] - apart
        found[at] = min(found[at], floor)
    return found
