"""World map: competitors by country, and coverage of all current federations."""

import re

from standings.charts.worldmap import FILE, PlacedCompetitor, PlacedCountry, map_of, map_of_event, world
from standings.engine import CHESS, read_crosstable
from tests.standings.drawn import sheet
from tournaments.event.federations import bearers, location_of

SIX = [("CHN", 1), ("ENG", 2), ("GEO2", 3), ("GEO", 30), ("MLT", 120), ("URS", 4), ("", 5)]


def placed(*codes: tuple[str, int], year: int | None = 2018) -> list[PlacedCompetitor]:
    return [PlacedCompetitor(place, f"Team {code}", f"../{code}/", code, year) for code, place in codes]


def test_outlines_are_small_and_state_their_source() -> None:
    assert FILE.stat().st_size < 30_000
    assert "Natural Earth" in world()["source"]


def test_every_current_country_has_a_point() -> None:
    today = [bearer for bearer in bearers() if not bearer.historical and bearer.codes[0].isupper()]
    located = {bearer.codes[0]: location_of(bearer.codes[0]) for bearer in today}
    assert {key for key in located.values() if key} <= world()["points"].keys()
    # The federations of disabled players, the world, and the Antilles, which no longer exist.
    assert sorted(code for code, key in located.items() if not key) == [
        *("AHO", "FID", "IBCA", "ICCD", "ICSC", "IPCA", "NON", "RDF", "ROW")
    ]


def test_countries_are_shaded_by_best_place() -> None:
    figure = map_of(placed(*SIX), "Teams on the map")
    assert figure is not None
    assert figure.table is not None
    assert [row[:2] for row in figure.table.rows] == [
        ["China", "1"],
        ["England", "2"],
        ["Georgia", "3"],
        ["Malta", "120"],
    ]
    assert figure.table.rows[2][2] == "Team GEO2, Team GEO"
    # Malta and England are dots, China and Georgia outlines. Each links to its best competitor.
    assert len(re.findall(r"<circle", figure.svg)) == 2
    assert {re.sub(r"\W", "", each) for each in re.findall(r'href="(.*?)"', figure.svg)} == {
        *("CHN", "ENG", "GEO2", "MLT")
    }
    assert "Not on today&#x27;s map: Team URS." not in figure.caption  # URS was not in use in 2018


def test_former_countries_are_listed_below_the_map() -> None:
    figure = map_of(placed(("URS", 1), ("NED", 2), ("FRA", 3), ("POL", 4), ("ITA", 5), year=1960), "Teams")
    assert figure is not None
    assert "Not on today&#x27;s map: Team URS." in figure.caption
    assert "<path" in figure.svg


def test_no_map_for_few_countries_or_clubs() -> None:
    assert map_of(placed(*SIX[:2]), "Teams") is None
    table = read_crosstable("1 Ann 2:1-0\n2 Bea 1:0-1", scoring=CHESS)
    assert map_of_event(sheet(table, entrants="teams", teams_are="clubs"), "../") is None


def test_shade_by_place() -> None:
    at_edges = placed(*(("NED", place) for place in (1, 3, 4, 10, 11, 25, 26, 50, 51, 100, 101)))
    bands = [PlacedCountry("NL", "Netherlands", [each]).band for each in at_edges]
    assert bands == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
