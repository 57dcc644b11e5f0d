"""Scatter chart of rating and performance: the generated SVG against the statistics."""

import re

from selectolax.lexbor import LexborHTMLParser

from standings.charts.scatter import HEIGHT, RatingScale, rated_performances, scatter_of
from standings.engine import CHESS, read_crosstable
from standings.statistics.scorers import Scorers, scorers_of
from tests.standings.drawn import sheet

RATED = """
    1 Ann 2000  2:1-0  3:1-0  4:½-½
    2 Bea 2100  1:0-1  4:½-½  3:1-0
    3 Cor       4:0-1  1:0-1  2:0-1
    4 Dia 1900  3:1-0  2:½-½  1:½-½
"""


def scorers(text: str = RATED) -> Scorers:
    table = read_crosstable(text, scoring=CHESS)
    ratings = table.rating.tolist()
    particulars = {
        name: {"rating": rating or None} for name, rating in zip(table.names, ratings, strict=True)
    }
    return scorers_of(sheet(table, particulars=particulars, game_win=2, game_draw=1))


def test_chart_has_the_figures_of_the_statistics() -> None:
    found = rated_performances(scorers())
    of_scorers = {each.name: each.player_rating.performance for each in scorers().everybody}
    assert {each.entry.name: each.performance for each in found} == {
        name: of_scorers[name] for name in ("Ann", "Bea", "Dia")
    }
    assert [each.gain for each in found] == [each.performance - each.rating for each in found]


def test_players_with_both_ratings_have_dot_row_and_link() -> None:
    figure = scatter_of(scorers(), "../")
    assert figure is not None
    assert figure.table is not None
    assert {row[0]: row[1] for row in figure.table.rows} == {"Ann": "2000", "Bea": "2100", "Dia": "1900"}
    assert sorted(re.findall(r'href="(.*?)"', figure.svg)) == [f"../competitors/{n}/" for n in (1, 2, 4)]
    for row in figure.table.rows:
        is_better = int(row[2]) > int(row[1])
        assert row[3] == f"{int(row[2]) - int(row[1]):+d}".replace("-", "−")
        drawn = re.search(rf"<a [^>]*><title>{row[0]}: .*?</title><circle class=\"(\w+)\"", figure.svg)
        assert drawn is not None
        assert drawn[1] == ("better" if is_better else "ring")


def test_dots_and_labels_are_inside_the_plot() -> None:
    figure = scatter_of(scorers(), "../")
    assert figure is not None
    plot = LexborHTMLParser(figure.svg).css_first("svg.plot")
    assert plot is not None
    # The plot has the width that the padding in charts.css leaves.
    assert not {"x", "width"} & plot.attributes.keys()
    for dot in plot.css("circle"):
        assert 0 < float((dot.attributes["cx"] or "").rstrip("%")) < 100
        assert 0 < float(dot.attributes["cy"] or "") < HEIGHT
    for label in plot.css("text"):
        assert 0 <= float((label.attributes["x"] or "").rstrip("%")) <= 100


def test_no_chart_for_few_rated_players() -> None:
    assert scatter_of(scorers(RATED.replace("2000", "").replace("1900", "")), "../") is None


def test_ticks_are_round_ratings() -> None:
    scale = RatingScale(1775, 2125)
    assert scale.ticks() == [1800, 1850, 1900, 1950, 2000, 2050, 2100]
    assert RatingScale(1000, 2500).ticks() == [1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400]
    assert (scale.share(1775), scale.share(1950), scale.share(2125)) == (0, 0.5, 1)
