"""Sparklines, heat map and bar charts: figures against the standings, and the generated SVG."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from standings.charts.bars import DifferenceGroup, by_difference, score_group_bars
from standings.charts.heatmap import heat_map
from standings.charts.race import places_column, places_sparkline
from standings.charts.scales import PlaceScale
from standings.statistics.scorers import scorers_of
from tests.standings.charts.test_race import UNEVEN, golden, places
from tests.standings.drawn import draw, sheet

RATED = """
1 Ann 2400 2:1-0  3:½-½
2 Bea 2100 1:0-1  4:1-0
3 Cor 2360 4:0-1  1:½-½
4 Dan      3:1-0  2:0-1
"""


class TestLineOfPlaces:
    def test_line_connects_the_places_and_lists_them(self) -> None:
        drawn = LexborHTMLParser(places_sparkline([3, 1, 2], PlaceScale(3)))
        picture, line = drawn.css_first("svg"), drawn.css_first("polyline")
        assert picture is not None
        assert line is not None
        assert picture.attributes["aria-label"] == "Place after each round: 3, 1, 2"
        assert len((line.attributes["points"] or "").split()) == 3

    def test_line_is_interrupted_without_a_place(self) -> None:
        drawn = LexborHTMLParser(places_sparkline([2, 0, 1, 1], PlaceScale(2)))
        assert [len((line.attributes["points"] or "").split()) for line in drawn.css("polyline")] == [1, 2]

    @pytest.mark.parametrize("without", [[], [1]])
    def test_no_line_before_two_rounds(self, without: list[int]) -> None:
        assert places_sparkline(without, PlaceScale(5)) == ""

    def test_no_line_without_any_place(self) -> None:
        assert "polyline" not in places_sparkline([0, 0], PlaceScale(2))

    def test_column_has_the_places_of_each_competitor(self) -> None:
        of_batumi = golden("olympiad-2018-open")
        after = places(of_batumi)
        column = places_column(of_batumi, after)
        for row in (0, 17, 184):
            told = ", ".join(str(each[row]) for each in after)
            assert f'aria-label="Place after each round: {told}"' in column.cells[row]


class TestHeatMap:
    def test_bar_height_is_the_share_of_points(self) -> None:
        picture = heat_map(sheet(draw("1 Ann 2:3-1 3:2-2\n2 Bea 1:1-3 –\n3 Cor – 1:2-2"), "total-score"))
        assert picture is not None
        drawn = LexborHTMLParser(picture.svg)
        heights = {css: [bar.attributes["height"] for bar in drawn.css(f"rect.{css}")] for css in "wdl"}
        assert heights == {"w": ["19"], "d": ["12", "12"], "l": ["6"]}

    def test_double_round_has_a_bar_per_game(self) -> None:
        of_1948 = golden("1948-world-championship")
        picture = heat_map(of_1948)
        assert picture is not None
        drawn = LexborHTMLParser(picture.svg)
        met = int((of_1948.standings.table.opponent >= 0).sum())
        assert len(drawn.css("rect.w, rect.d, rect.l, rect.x")) == met
        assert len(drawn.css("rect.self")) == len(of_1948.entries)
        assert "style" not in picture.svg

    def test_rows_have_names_and_squares_fill_the_width(self) -> None:
        picture = heat_map(golden("1948-world-championship"))
        assert picture is not None
        drawn = LexborHTMLParser(picture.svg)
        names = [label.text() for label in drawn.css("text[text-anchor=end]")]
        assert names[:2] == ["1 Roozenburg", "2 Keller"]
        assert len(names) == 11
        squares = drawn.css("g[data-number='3'] rect.meeting, g[data-number='3'] rect.self")
        edges = [[float((each.attributes[key] or "")[:-1]) for key in ("x", "width")] for each in squares]
        assert [round(sum(edge)) for edge in edges] == [round(100 * at / 11) for at in range(1, 12)]

    @pytest.mark.parametrize(("competitors", "wide", "narrow"), [(12, 12, 12), (20, 20, 4), (40, 8, 8)])
    def test_columns_have_numbers_if_there_is_room(self, competitors: int, wide: int, narrow: int) -> None:
        lines = [f"{number} P{number} {(number - 1 ^ 1) + 1}:1-1" for number in range(1, competitors + 1)]
        picture = heat_map(sheet(draw("\n".join(lines))))
        assert picture is not None
        numbers = LexborHTMLParser(picture.svg).css("text.tick")
        assert len(numbers) == wide
        assert sum("not-narrow" not in (each.attributes["class"] or "") for each in numbers) == narrow

    def test_unknown_results_have_no_bar_and_names_are_escaped(self) -> None:
        picture = heat_map(sheet(draw(UNEVEN)))
        assert picture is not None
        assert "<title>&lt;Cor&gt;</title>" in picture.svg
        assert "against &lt;Cor&gt;" in picture.svg
        assert "not yet played" in picture.svg

    @pytest.mark.parametrize("drawn", ["1 Ann\n2 Bea\n3 Cor", "1 Ann 2:2-0\n2 Bea 1:0-2"])
    def test_no_heat_map_for_fewer_than_three(self, drawn: str) -> None:
        assert heat_map(sheet(draw(drawn))) is None


class TestBars:
    def test_score_groups_are_those_of_the_standings(self) -> None:
        of_batumi = golden("olympiad-2018-open")
        groups = score_group_bars(of_batumi)
        assert groups is not None
        assert groups.table is not None
        assert groups.table.rows[:3] == [["18", "3"], ["17", "2"], ["16", "9"]]
        assert sum(int(count) for _score, count in groups.table.rows) == 185

    def test_no_chart_if_all_scores_are_equal(self) -> None:
        assert score_group_bars(sheet(draw("1 Ann 2:1-1\n2 Bea 1:1-1"))) is None

    def test_game_counts_once_for_the_higher_rated(self) -> None:
        # Ann beat Bea at +300 (85 expected) and drew with Cor at +40 (56 expected). Dan is unrated.
        ratings = {"Ann": {"rating": 2400}, "Bea": {"rating": 2100}, "Cor": {"rating": 2360}}
        rated = sheet(draw(RATED), particulars=ratings, discipline="chess", game_win=2)
        groups = by_difference(scorers_of(rated).everybody)
        assert groups == [DifferenceGroup("1–49", 1, 1, 56), DifferenceGroup("300–349", 1, 2, 85)]
