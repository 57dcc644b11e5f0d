"""Cross table on drawn crosstables: links of its columns and colours of its results."""

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pytest
from django.test import Client

from standings.engine import CHESS, Crosstable
from standings.tables.matrix import Matrix
from standings.tables.sheet import StandingsSheet
from tests.demo import BATUMI, record
from tests.standings.drawn import draw, sheet, visible

ORDERED = draw(
    """
    1 Ann  3:0-2  2:0-2
    2 Bea  –      1:2-0
    3 Cor  1:2-0  bye
    """
)
SHARED = replace(draw("1 Ann 2:1-1 3:2-0\n2 Bea 1:1-1 –\n3 Cor – 1:0-2"), numbers=np.array([11, 12, 13]))
TWICE = replace(
    draw("1 Ann 2:1-0 2:0-1 2:½-½ 2:+ 2:\n2 Bea 1:0-1 1:1-0 1:½-½ 1:- 1:", scoring=CHESS), games_each=2
)


def heads(made: StandingsSheet) -> list[str]:
    """Return the visible headings."""
    return [visible(head) for head in re.findall(r"<th.*?</th>", Matrix(made).heads)]


def rows(made: StandingsSheet) -> list[list[str]]:
    """Return the visible cells."""
    return [
        [visible(cell) for cell in re.findall(r"<t[dh].*?(?=<t[dh]|</tr>)", row)]
        for row in Matrix(made).rows.split("\n")
    ]


def results(table: Crosstable, at: int = 0) -> list[tuple[str, str]]:
    """Return class and text of each result in a row of a cross table."""
    row = Matrix(sheet(table)).rows.split("\n")[at]
    found = re.findall(r'<a class="([^"]*)" href="[^"]*/rounds/.*?>(.*?)</a>', row)
    return [(css, unescape(text)) for css, text in found]


def test_column_is_headed_by_place() -> None:
    made = sheet(ORDERED, "total-score", "solkoff")
    assert heads(made)[:5] == ["pl.", "name", "1", "2", "3"]
    assert [row[:2] for row in rows(made)] == [["1", "Cor"], ["2", "Bea"], ["3", "Ann"]]


def test_column_is_headed_by_start_number_if_a_place_is_shared() -> None:
    made = sheet(SHARED, "wins")
    assert heads(made)[:6] == ["pl.", "name", "start", "11", "12", "13"]
    assert [row[:3] for row in rows(made)] == [["1", "Ann", "11"], ["2", "Bea", "12"], ["", "Cor", "13"]]


def test_columns_of_teams_with_codes_are_headed_by_numbers() -> None:
    codes = {name: {"code": name.upper()} for name in SHARED.names}
    made = sheet(SHARED, "wins", particulars=codes, entrants="teams")
    assert heads(made)[:6] == ["pl.", "team", "start", "11", "12", "13"]


def test_each_result_of_a_double_round_is_coloured_separately() -> None:
    assert results(TWICE) == [
        ("w", "<b>1</b>"),
        ("l", "<b>0</b>"),
        ("d", "<b>½</b>"),
        ("x", "<b>+</b>"),
        ("n", "<b>…</b>"),
    ]
    assert [css for css, _ in results(TWICE, 1)] == ["l", "w", "d", "x", "n"]


def test_an_annulled_result_is_struck_out() -> None:
    table = draw(
        """
        1 Ann  withdrawn=1  2:0-2  3:      4:
        2 Bea               1:2-0  4:2-0   3:2-0
        3 Cor               4:2-0  1:      2:0-2
        4 Dan               3:0-2  2:0-2   1:
        """,
        games_each=3,
    )
    assert results(table, 3)[0] == ("n annulled", "<b>0</b>")


@pytest.mark.django_db
def test_page_explains_why_a_large_event_has_no_cross_table(client: Client) -> None:
    record(BATUMI)
    page = client.get(f"{BATUMI}crosstable/")
    assert page.status_code == 200
    text = " ".join(page.content.decode().split())
    assert "With 185 columns it is not readable, so the limit is 64." in text
    for place in ("standings/", "rounds/", "competitors/"):
        assert f'<li><a href="{BATUMI}{place}">' in text
