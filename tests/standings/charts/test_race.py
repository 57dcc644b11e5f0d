"""Race chart: figures against the standings after each round, participants, and the generated SVG."""

from itertools import pairwise
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from standings.charts.race import APART, STARTS_APART, race_of, rounds_with_results, spread_heights
from standings.charts.scales import HEIGHT, BehindScale, PlaceScale
from standings.charts.svg import Figure
from standings.tables.sheet import StandingsSheet
from tests.standings.drawn import draw, sheet
from tests.standings.test_golden import DEMO, judged
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Event

UNEVEN = """
1 Ann         2:2-0  3:2-0  bye    4:2-0  5:
2 Bea         1:0-2  4:1-1  3:?    5:2-0  6:
3 <Cor>       5:2-0  1:0-2  2:?    6:1-1  4:
4 Dan  withdrawn=4   6:2-0  2:1-1  5:2-0  1:0-2  3:
5 Eve         3:0-2  –      4:0-2  2:0-2  1:
6 Fay outside  4:0-2  –      –      3:1-1  2:
"""
"""A bye, an unknown result, a withdrawal, a late entry and a guest. The fifth round is only paired."""


def golden(name: str, **about: Any) -> StandingsSheet:
    document, standings = judged(DEMO / f"{name}.json")
    rows = zip(standings.table.numbers.tolist(), standings.table.names, strict=True)
    event = Event(slug=name, name=name, schedule=document.event.schedule, entrants=document.event.entrants)
    return StandingsSheet(
        event, standings, [CompetitorInfo(0, *row) for row in rows], f"/events/{name}/", **about
    )


def places(sheet: StandingsSheet) -> list[list[int]]:
    rounds = range(1, sheet.standings.table.rounds + 1)
    return [sheet.standings.after(number).place.tolist() for number in rounds]


def raced(sheet: StandingsSheet, *, everybody: bool = False) -> Figure | None:
    return race_of(sheet, places(sheet), everybody=everybody)


def test_batumi_shows_the_places_after_each_round() -> None:
    of_batumi = golden("olympiad-2018-open")
    race = raced(of_batumi)

    assert race is not None
    assert race.table is not None
    assert [row[0] for row in race.table.rows][:3] == ["China", "United States of America", "Russia"]
    assert len(race.table.rows) == 10
    for number in range(1, 12):
        after = {row.competitor: row.place for row in of_batumi.standings.after(number).rows()}
        rows = [row.competitor for row in of_batumi.rows[:10]]
        assert [row[number] for row in race.table.rows] == [str(after[row]) for row in rows]


def test_a_round_robin_shows_the_points_behind_the_leader() -> None:
    of_1948 = golden("1948-world-championship")
    race = raced(of_1948)

    assert race is not None
    assert race.table is not None
    rows = [row.competitor for row in of_1948.rows if row.place][:10]
    for number in (1, 7, of_1948.standings.table.rounds):
        totals = of_1948.standings.after(number).table.totals()
        behind = [BehindScale(1).said(int(max(totals) - totals[row])) for row in rows]
        assert [row[number] for row in race.table.rows] == behind


def test_race_shows_the_places_of_the_tables() -> None:
    uneven = sheet(draw(UNEVEN), schedule="swiss")
    race = raced(uneven)

    assert race is not None
    assert race.table is not None
    assert race.table.heads == ["round", "1", "2", "3", "4"]
    after = places(uneven)
    expected = {
        entry.name: [str(after[number][row] or "–") for number in range(4)]
        for row, entry in enumerate(uneven.entries)
        if not entry.outside
    }
    assert {row[0]: row[1:] for row in race.table.rows} == {
        name: each for name, each in expected.items() if name != "Fay"
    }


def test_race_has_only_placed_competitors_and_escapes_names() -> None:
    race = raced(sheet(draw(UNEVEN), schedule="swiss"))

    assert race is not None
    assert "Fay" not in race.svg
    assert "&lt;Cor&gt;" in race.svg
    assert "<Cor>" not in race.svg


@pytest.mark.parametrize(
    ("drawn", "rounds"),
    [
        ("1 Ann\n2 Bea", 0),
        ("1 Ann 2:\n2 Bea 1:", 0),
        ("1 Ann 2:2-0\n2 Bea 1:0-2", 1),
        ("1 Ann 2:2-0 2:\n2 Bea 1:0-2 1:", 1),
        ("1 Ann 2:2-0 2:0-2\n2 Bea 1:0-2 1:2-0", 2),
        ("1 Ann 2:2-0 3:\n2 Bea 1:0-2 4:2-0\n3 Cor 4:2-0 1:\n4 Dan 3:0-2 2:0-2", 2),
    ],
)
def test_a_race_needs_two_rounds_with_results(drawn: str, rounds: int) -> None:
    standings = sheet(draw(drawn), schedule="swiss")
    assert rounds_with_results(standings.basis) == rounds
    assert (raced(standings) is not None) == (rounds > 1)


def test_race_of_a_large_event_has_only_the_first() -> None:
    lines = [f"{number} P{number} {number ^ 1}:{'2-0' if number % 2 else '0-2'}" for number in range(2, 2002)]
    large = sheet(draw("\n".join(f"{line}  {line.split()[-1]}" for line in lines)), schedule="swiss")
    race = raced(large, everybody=True)

    assert race is not None
    assert race.svg.count('class="line') == 10
    assert len(race.svg) < 30_000


def test_each_round_links_to_its_table_and_each_name_to_its_card() -> None:
    of_batumi = golden("olympiad-2018-open")
    race = raced(of_batumi, everybody=True)

    assert race is not None
    drawn = LexborHTMLParser(race.svg)
    links = [link.attributes["href"] for link in drawn.css("a")]
    cards = [
        f"{of_batumi.address}competitors/{of_batumi.entries[row.competitor].number}/"
        for row in of_batumi.rows
    ]
    tables = [f"{of_batumi.address}standings/after/{number}/" for number in range(1, 12)]
    assert links == [*tables, *cards[:10]]
    assert len(drawn.css(".line")) == 185
    assert len(drawn.css("polyline.other")) == 175
    assert "style" not in race.svg
    assert "<title>United States of America: place 1 after round 1</title>" in race.svg


@pytest.mark.parametrize("last", [2, 3, 7, 12, 30, 31, 34, 185, 2000])
def test_place_scale_uses_full_height_with_most_for_the_top(last: int) -> None:
    scale = PlaceScale(last)
    heights = [scale.height_of(place) for place in range(1, last + 1)]

    assert heights[0] == 0
    assert heights[-1] == pytest.approx(HEIGHT)
    assert heights == sorted(heights)
    ticks = [place for place, _text in scale.ticks()]
    assert (ticks[0], ticks[-1]) == (1, last)
    assert all(scale.height_of(below) - scale.height_of(above) >= 12 for above, below in pairwise(ticks))


def test_names_are_spread_in_order() -> None:
    assert spread_heights([0, 0, 5, 300], APART, HEIGHT) == [0, 24, 48, 300]
    assert spread_heights([HEIGHT, HEIGHT, HEIGHT], APART, HEIGHT) == [HEIGHT - 48, HEIGHT - 24, HEIGHT]


@pytest.mark.parametrize("name", ["olympiad-2018-open", "1948-world-championship", "2022-ouagadougou-open"])
def test_names_are_at_both_ends_without_overlaps(name: str) -> None:
    race = raced(golden(name))

    assert race is not None
    drawn = LexborHTMLParser(race.svg)
    for end, apart in ((".start", STARTS_APART), (".end", APART)):
        for css, longest in ((".wide", 32), (".narrow", 14)):
            labels = drawn.css(f"{end} text{css}")
            heights = sorted(float(label.attributes["y"] or "") for label in labels)
            assert len(labels) == 10
            assert all(below - above >= apart for above, below in pairwise(heights))
            assert all(0 < len(label.text()) <= longest for label in labels)


def test_competitor_without_a_place_after_round_1_has_no_name_at_the_start() -> None:
    standings = sheet(draw("1 Ann 2:2-0 3:2-0\n2 Bea 1:0-2 –\n3 Cor – 1:0-2"), schedule="swiss")
    race = race_of(standings, [[1, 2, 0], *places(standings)[1:]])

    assert race is not None
    drawn = LexborHTMLParser(race.svg)
    assert [name.text() for name in drawn.css(".start text.wide")] == ["Ann", "Bea"]
    assert len(drawn.css(".end")) == 3


def test_first_three_places_have_colours_and_shared_places_the_same() -> None:
    race = raced(golden("olympiad-2018-open"))
    assert race is not None
    classes = [node.attributes["class"] for node in LexborHTMLParser(race.svg).css(".end")]
    assert classes == ["end place-1", "end place-2", "end place-3", *["end"] * 7]

    level = raced(sheet(draw("1 Ann 2:1-1 3:1-1\n2 Bea 1:1-1 4:1-1\n3 Cor 4:1-1 1:1-1\n4 Dan 3:1-1 2:1-1")))
    assert level is not None
    assert len(LexborHTMLParser(level.svg).css(".end.place-1")) == 4


def test_competitors_level_in_all_rounds_are_all_leaders() -> None:
    level = sheet(draw("1 Ann 2:1-1 3:1-1\n2 Bea 1:1-1 4:1-1\n3 Cor 4:1-1 1:1-1\n4 Dan 3:1-1 2:1-1"))
    race = raced(level)

    assert race is not None
    assert race.table is not None
    assert [row[1:] for row in race.table.rows] == [["0", "0"]] * 4
