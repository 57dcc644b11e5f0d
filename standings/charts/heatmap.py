"""The heat map of a cross table: a square for each meeting, filled by the score of the row.

The filled height shows the score without colour. If there are several games, a square has a bar for each.
"""

from collections import defaultdict
from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.svg import Figure, drawing, element, text, titled
from standings.tables.cells import CrosstableRound, RoundCells, rounds_of_competitor, sign, spoken_round, tint
from standings.tables.sheet import StandingsSheet

SIDE, GAP = 24, 1  # SVG units: size of a square and gap
LARGEST_SIDE = 34  # pixels: maximum size of a square
WRITTEN = 24  # maximum games in a row for which phones have room for results
NUMBERED = 16  # with more competitors, only every fifth number is shown, in a larger size
LEAST = 3  # SVG units: height of the bar of a score of 0


def heat_map(sheet: StandingsSheet) -> Figure | None:
    """Return the cross table as a chart. None if there are no meetings or fewer than three competitors."""
    order = [row.competitor for row in sheet.rows]
    meetings = {row: _meetings_by_opponent(sheet, row) for row in order}
    most = max((len(games) for met in meetings.values() for games in met.values()), default=0)
    if not most or len(order) < 3:
        return None
    is_written = most * len(order) <= WRITTEN
    words = RoundCells(sheet.entries, sheet.label, "", players=not sheet.event.is_team)
    squares, is_ordered = [], sheet.event.knows_round_order
    for down, row in enumerate(order):
        name = escape(sheet.entries[row].name)
        parts = [titled(sheet.entries[row].name)]
        for across, other in enumerate(order):
            x, y = (across + 1) * SIDE, (down + 1) * SIDE
            if row == other:
                parts.append(_rect(x, y, class_="self"))
                continue
            results = [
                f"{spoken_round(each.round)}, {words.words(each)}" if is_ordered else words.words(each)
                for each in meetings[row][other]
            ]
            title = (
                element("title", SafeString(f"{name}: {'; '.join(results)}"))
                if results and is_written
                else None
            )
            bars = _game_bars(meetings[row][other], most, x, y, is_written=is_written)
            parts.append(element("g", *([title] if title else []), _rect(x, y, class_="meeting"), *bars))
        squares.append(element("g", *parts, data_number=sheet.entries[row].number))
    side = (len(order) + 1) * SIDE
    drawn = drawing(
        *_axis_numbers(sheet, order),
        *squares,
        label=_("Scores of all competitors against each other; the cross table has the figures."),
        width=(len(order) + 1) * LARGEST_SIDE,
        height=(len(order) + 1) * LARGEST_SIDE,
        view_box=(side, side),
    )
    caption = _(
        "A square for each pairing: the fuller the square, the more the row scored against the column."
    )
    return Figure(_("The cross table as a picture"), drawn, caption, css="heat")


def _meetings_by_opponent(sheet: StandingsSheet, row: int) -> dict[int, list[CrosstableRound]]:
    met: dict[int, list[CrosstableRound]] = defaultdict(list)
    for each in rounds_of_competitor(sheet.shown_results.table, row):
        if each.opponent >= 0:
            met[each.opponent].append(each)
    return met


def _rect(x: float, y: float, **attributes: str) -> SafeString:
    return element("rect", x=x, y=y, width=SIDE - GAP, height=SIDE - GAP, **attributes)


def _game_bars(
    games: list[CrosstableRound], most: int, x: int, y: int, *, is_written: bool
) -> list[SafeString]:
    width, bars = (SIDE - GAP) / most, list[SafeString]()
    for at, game in enumerate(games):
        result, left = game.result, x + at * width
        css, shown = tint(result).partition(" ")[0], sign(result).replace(" : ", ":")
        scored = result.score + result.opponent_score
        if css in "wdl":
            full = max(round((SIDE - GAP) * result.score / scored), LEAST) if scored else LEAST
            bottom = y + SIDE - GAP
            bars.append(element("rect", class_=css, x=left, y=bottom - full, width=width, height=full))
        elif css == "x":
            bars.append(
                element("rect", class_="x", x=left + 1, y=y + 1, width=width - 2, height=SIDE - GAP - 2)
            )
        if is_written and shown:
            size = 12 if most == 1 else 9
            middle = y + SIDE / 2 + size / 3
            bars.append(text(shown, x=left + width / 2, y=middle, font_size=size, text_anchor="middle"))
    return bars


def _axis_numbers(sheet: StandingsSheet, order: list[int]) -> list[SafeString]:
    is_few = len(order) <= NUMBERED
    size = 11 if is_few else SIDE
    labels = []
    for at, row in enumerate(order, start=1):
        if is_few or at % 5 == 0:
            number, middle = sheet.number(row), (at + 0.5) * SIDE
            labels.append(
                text(number, class_="tick", x=middle, y=SIDE - 6, font_size=size, text_anchor="middle")
            )
            labels.append(
                text(
                    number, class_="tick", x=SIDE - 5, y=middle + size / 3, font_size=size, text_anchor="end"
                )
            )
    return labels
