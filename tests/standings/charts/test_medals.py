"""Chart of the medals of a series."""

import re
from itertools import pairwise

from standings.charts.medals import Medallist, medal_chart


def test_chart_has_medals_with_years_and_a_table() -> None:
    china = Medallist("China", "/c/", [(2, "2014"), (1, "2018"), (1, "2022")])
    figure = medal_chart([china, Medallist("<India>", "/i/", [(3, "2014")])])
    assert figure is not None
    assert figure.table is not None
    assert figure.table.rows == [["China", "2018, 2022", "2014", ""], ["<India>", "", "", "2014"]]
    assert [figure.svg.count(f'class="medal-{place}"') for place in (1, 2, 3)] == [2, 1, 1]
    assert "<India>" not in figure.svg
    assert "<title>2018: 1</title>" in figure.svg
    assert figure.svg.count(">2014</text>") == 2


def test_medals_that_exceed_a_line_are_on_the_next() -> None:
    many = Medallist("Soviet Union", "/u/", [(1, str(year)) for year in range(1952, 1992, 2)])
    figure = medal_chart([many, Medallist("Hungary", "/h/", [(1, "1978")])])
    assert figure is not None
    spots = re.findall(r'<svg x="([\d.]+)%" y="(\d+)"', figure.svg)
    assert len(set(spots)) == 21
    lines = sorted({int(y) for _x, y in spots})
    assert all(below - above >= 56 for above, below in pairwise(lines))
    assert {float(x) for x, _y in spots} == {5 + 10 * at for at in range(10)}


def test_no_chart_without_medals() -> None:
    assert medal_chart([]) is None
