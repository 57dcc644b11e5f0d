"""The bar charts of statistics: match scores, results by colour, score groups, rating differences."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.charts.svg import Figure, FigureTable, drawing, element, percent, text, titled
from standings.engine import fraction_text, score_probability
from standings.statistics.counting import per_mille
from standings.statistics.ratings import Missing
from standings.statistics.scorers import Scorer, Scorers
from standings.statistics.summary import Summary, per_cent_text
from standings.tables.sheet import StandingsSheet

LINE, BAR = 24, 16  # pixels: height of a line and of its bar
WITHIN = 8  # per cent of the width from which a part contains its number
STEPS = (1, 50, 100, 150, 200, 250, 300, 350, 400)  # lower limit of rating difference of each line


class BarPart(NamedTuple):
    """A part of a bar. `css`: its class. `words`: the text of its tooltip."""

    number: int
    css: str
    words: str


class BarRow(NamedTuple):
    """A line of the chart. `end`: the text after the bar. `mark`: the position of a mark, per mille."""

    name: str
    parts: Sequence[BarPart]
    end: str = ""
    mark: int | None = None


def bars(
    heading: str,
    label: str,
    lines: Sequence[BarRow],
    *,
    whole: int = 0,
    caption: str = "",
    table: FigureTable | None = None,
) -> Figure:
    """Return the bar chart. `label`: the description for screen readers.

    Bars are scaled to the longest, or to `whole`. With `whole` = -1, each bar has full width.
    """
    longest = whole or max((sum(part.number for part in line.parts) for line in lines), default=0)
    drawn = [_bar_line(line, at * LINE, longest) for at, line in enumerate(lines)]
    # Names and figures are in the padding that charts.css adds on both sides.
    names = (text(line.name, x=-10, y=at * LINE + BAR, text_anchor="end") for at, line in enumerate(lines))
    svg = drawing(*names, *drawn, label=label, height=len(lines) * LINE)
    return Figure(heading, svg, caption, table, css="bars")


def _bar_line(line: BarRow, y: int, longest: int) -> SafeString:
    own = sum(part.number for part in line.parts)
    whole = own if longest < 0 else longest
    drawn, left = list[SafeString](), 0
    for part in line.parts:
        if not part.number:
            continue
        share, at = 100 * part.number / whole, 100 * left / whole
        bar = element(
            "rect",
            titled(part.words),
            class_=part.css,
            x=percent(at),
            y=y + 4,
            width=percent(share),
            height=BAR,
        )
        drawn.append(bar)
        if len(line.parts) > 1 and share >= WITHIN:
            middle = percent(at + share / 2)
            drawn.append(text(part.number, x=middle, y=y + BAR, text_anchor="middle"))
        left += part.number
    if line.mark is not None:
        x = percent(line.mark / 10)
        drawn.append(element("line", class_="expected", x1=x, x2=x, y1=y + 1, y2=y + BAR + 7))
    if line.end:
        x = percent(100 if longest < 0 or line.mark is not None else 100 * own / whole)
        drawn.append(text(line.end, class_="tick", x=x, dx=8, y=y + BAR))
    return element("g", *drawn)


def match_score_bars(summary: Summary) -> Figure | None:
    """Return the number of matches by score. The page already has the figures as a table."""
    if len(summary.match_scores) < 2:
        return None
    lines = []
    for score, matches in summary.match_scores:
        first, _hyphen, second = score.partition("-")
        part = BarPart(matches, "drawn" if first == second else "won", f"{score}: {matches}")
        lines.append(BarRow(score, [part], str(matches)))
    return bars(_("Scores of the matches"), _("How many matches ended with each score."), lines)


def colour_bars(summary: Summary) -> Figure | None:
    """Return the results of White in total and by board. None if no colours are known."""
    lines = []
    for board, tally, _white, _drawn in (*summary.boards, summary.every):
        if tally.with_colours:
            drawn = tally.drawn_with_colours
            parts = [
                BarPart(tally.white, "won", _("White won %(count)s") % {"count": tally.white}),
                BarPart(drawn, "drawn", _("drawn %(count)s") % {"count": drawn}),
                BarPart(tally.black, "lost", _("Black won %(count)s") % {"count": tally.black}),
            ]
            lines.append(BarRow(_("board %(board)s") % {"board": board} if board else _("all games"), parts))
    if not lines:
        return None
    caption = _("From left to right: White won, drawn, Black won.")
    label = _("How the games ended for White. The figures are in the table above.")
    return bars(_("Results by colour"), label, lines, whole=-1, caption=caption)


def score_group_bars(sheet: StandingsSheet) -> Figure | None:
    """Return the number of placed competitors by score. None if there are fewer than two scores."""
    totals = sheet.standings.table.totals().tolist()
    counted = Counter(totals[row.competitor] for row in sheet.rows if row.place)
    if len(counted) < 2:
        return None
    groups = [(fraction_text(score, 2), count) for score, count in sorted(counted.items(), reverse=True)]
    lines = [
        BarRow(score, [BarPart(count, "won", f"{score}: {count}")], str(count)) for score, count in groups
    ]
    heading = _("Number of competitors with each score")
    many = _("teams") if sheet.event.is_team else _("players")
    table = FigureTable(heading, [_("points"), many], [[score, str(count)] for score, count in groups])
    return bars(heading, heading, lines, table=table)


@dataclass
class DifferenceGroup:
    """The games in a range of rating differences.

    `points`: half-points of the higher-rated players. `expected`: their expected score in hundredths of a
    point.
    """

    span: str
    games: int = 0
    points: int = 0
    expected: int = 0


def by_difference(scorers: Iterable[Scorer]) -> list[DifferenceGroup]:
    """Return the games between rated players in ranges of 50 points, without those of equal ratings."""
    groups = {low: DifferenceGroup(f"{low}–{high - 1}") for low, high in pairwise(STEPS)}
    groups[STEPS[-1]] = DifferenceGroup(f"{STEPS[-1]}+")
    for scorer in scorers:
        for game in scorer.score.rated:
            difference = (scorer.rating or 0) - game.rating
            # Each game is found for both players and counts for the higher-rated one.
            if not game.rating or difference <= 0:
                continue
            group = groups[max(step for step in STEPS if step <= difference)]
            group.games += 1
            group.points += game.points
            group.expected += score_probability(difference)
    return [group for group in groups.values() if group.games]


def difference_bars(scorers: Scorers) -> Figure | None:
    """Return the score of the higher-rated players, with the expected score in chess.

    None if all games are in a single range.
    """
    groups = by_difference(scorers.everybody)
    if len(groups) < 2:
        return None
    # FIDE's table does not apply to ratings of FMJD and local lists.
    is_expected = scorers.in_force.missing not in {Missing.DISCIPLINE, Missing.LOCAL_LIST}
    lines, rows = [], []
    for group in groups:
        share, due = per_mille(group.points, 2 * group.games), per_mille(group.expected, 100 * group.games)
        values = {"share": per_cent_text(share), "games": group.games, "expected": per_cent_text(due)}
        words = (
            _("%(share)s per cent of %(games)s games, %(expected)s expected")
            if is_expected
            else _("%(share)s per cent of %(games)s games")
        )
        part = BarPart(share or 0, "won", f"{group.span}: {words % values}")
        lines.append(BarRow(group.span, [part], f"{per_cent_text(share)} %", due if is_expected else None))
        expected = [per_cent_text(due)] if is_expected else []
        rows.append([group.span, str(group.games), per_cent_text(share), *expected])
    heading = _("Scores of the higher-rated players")
    heads = [_("rating difference"), _("games"), _("scored %"), *([_("expected %")] if is_expected else [])]
    caption = (
        _(
            "Bar: the score of the higher-rated players. Mark: the score that FIDE's table expects (B.02, "
            "8.1.2)."
        )
        if is_expected
        else _("Bar: the score of the higher-rated players.")
    )
    return bars(heading, caption, lines, whole=1000, caption=caption, table=FigureTable(heading, heads, rows))
