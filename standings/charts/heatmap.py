"""The heat map of a cross table: a row with a name and a square for each meeting, filled by its score.

The filled height shows the score without colour. If there are several games, a square has a bar for each.
"""

from html import escape
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.svg import Figure, drawing, element, percent, shortened, text, titled
from standings.tables.cells import CrosstableRound, RoundCells, rounds_by_opponent, sign, spoken_round, tint
from standings.tables.sheet import StandingsSheet

HEAD, ROW, LOW_ROW, GAP = 22, 26, 16, 1  # pixels: heights of the numbers, of a row, and of one of many; gap
WIDEST = 34  # pixels: maximum width of a square
NAMES, NARROW_PLOT = 124, 220  # pixels: room for names in charts.css, and the squares' width on phones
LONGEST = 12  # characters of a name
WRITTEN = 24  # maximum games in a row for which squares contain results
CHARACTER = 7  # pixels
NUMBERED = 16  # with more competitors, phones number only every fifth column, and rows are lower
LEAST = 3  # pixels: height of the bar of a score of 0


def heat_map(sheet: StandingsSheet) -> Figure | None:
    """Return the cross table as a chart. None if there are no meetings or fewer than three competitors."""
    order = [row.competitor for row in sheet.rows]
    meetings = {row: rounds_by_opponent(sheet.shown_results.table, row) for row in order}
    most = max((len(met[other]) for met in meetings.values() for other in order), default=0)
    if not most or len(order) < 3:
        return None
    is_written = most * len(order) <= WRITTEN
    words = RoundCells(sheet.entries, sheet.label, "", players=not sheet.event.is_team)
    rows, is_ordered = [], sheet.event.knows_round_order
    width, height = 100 / len(order), ROW if len(order) <= NUMBERED else LOW_ROW
    for down, row in enumerate(order):
        name, y = sheet.entries[row].name, HEAD + down * height
        short = shortened(sheet.short_name(row), LONGEST)
        label = text(f"{sheet.number(row)} {short}", x=-6, y=y + height / 2 + 4, text_anchor="end")
        parts = [titled(name), label]
        for across, other in enumerate(order):
            square = _Square(across * width, y, width, height - GAP)
            if row == other:
                parts.append(square.rect("self"))
                continue
            results = [
                f"{spoken_round(each.round)}, {words.words(each)}" if is_ordered else words.words(each)
                for each in meetings[row][other]
            ]
            tooltip = element("title", SafeString(f"{escape(name)}: {'; '.join(results)}"))
            title = [tooltip] if results and is_written else []
            bars = _game_bars(meetings[row][other], most, square, is_written=is_written)
            parts.append(element("g", *title, square.rect("meeting"), *bars))
        rows.append(element("g", *parts, data_number=sheet.entries[row].number))
        is_fifth = (down + 1) % 5 == 0
        if is_fifth or len(order) <= 2 * NUMBERED:
            css = "tick" if is_fifth or len(order) <= NUMBERED else "tick not-narrow"
            x = percent((down + 0.5) * width)
            rows.append(text(sheet.number(row), class_=css, x=x, y=HEAD - 7, text_anchor="middle"))
    drawn = drawing(
        *rows,
        label=_("Scores of all competitors against each other; the cross table has the figures."),
        width=NAMES + len(order) * WIDEST,
        height=HEAD + len(order) * height,
    )
    caption = _(
        "A square for each pairing; rows and columns have the same order. The fuller a square, the more "
        "points the competitor on the left scored."
    )
    return Figure(_("The cross table as a picture"), drawn, caption, css="heat")


class _Square(NamedTuple):
    """Position and size: horizontally in per cent, vertically in pixels."""

    x: float
    y: float
    width: float
    height: float

    def rect(self, css: str) -> SafeString:
        return element(
            "rect", class_=css, x=percent(self.x), y=self.y, width=percent(self.width), height=self.height
        )


def _game_bars(
    games: list[CrosstableRound], most: int, square: _Square, *, is_written: bool
) -> list[SafeString]:
    width, bars = square.width / most, list[SafeString]()
    for at, game in enumerate(games):
        result, x = game.result, square.x + at * width
        css, shown = tint(result).partition(" ")[0], sign(result).replace(" : ", ":")
        scored = result.score + result.opponent_score
        if css in "wdl":
            full = max(round(square.height * result.score / scored), LEAST) if scored else LEAST
            bars.append(_Square(x, square.y + square.height - full, width, full).rect(css))
        elif css == "x":
            bars.append(_Square(x, square.y + 1, width, square.height - 2).rect("x"))
        if is_written and shown:
            has_room = len(shown) * CHARACTER <= NARROW_PLOT * width / 100
            middle = {"x": percent(x + width / 2), "y": square.y + square.height / 2 + 4}
            hidden = None if has_room else "not-narrow"
            bars.append(text(shown, **middle, class_=hidden, text_anchor="middle"))
    return bars
