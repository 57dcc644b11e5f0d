"""Chart of the medals of a series."""

from standings.charts.medals import Medal, Medallist, medal_chart


def test_chart_has_a_block_per_medal_and_a_table_of_years() -> None:
    china = Medallist("China", "/c/", [Medal(2, "2014"), Medal(1, "2018"), Medal(1, "2022")])
    figure = medal_chart([china, Medallist("<India>", "/i/", [Medal(3, "2014")])])
    assert figure is not None
    assert figure.table is not None
    assert figure.table.rows == [["China", "2018, 2022", "2014", ""], ["<India>", "", "", "2014"]]
    assert [figure.svg.count(f'class="medal-{place}"') for place in (1, 2, 3)] == [2, 1, 1]
    assert "<India>" not in figure.svg
    assert "<title>2018: 1</title>" in figure.svg


def test_no_chart_without_medals() -> None:
    assert medal_chart([]) is None
