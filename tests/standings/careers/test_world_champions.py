"""Careers of two real players: every figure of their pages beside the tables that were published.

1948 is the table of the KNDB (https://toernooibase.kndb.nl/opvraag/standen.php?&kl=46&Id=670), as
https://github.com/clpippel/tiebreak has it in gamefiles/1948-wereldkampioenschap-KNDB.csv: of each round
points/place of the opponent and colour, and at the end the points. Of 1947 (Id=8807) there are the results.
"""

from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby
from typing import NamedTuple

import pytest
from django.test import Client

from tests.demo import DEN_HAAG, WORLD_1948, record
from tests.linked import world_champions
from tests.standings.pages.reading import read, rows
from tournaments.models import Person

pytestmark = pytest.mark.django_db(transaction=True)

PLACES_1948 = [
    ("Piet Roozenburg", "Netherlands"), ("Reinier Cornelis Keller", "Netherlands"),
    ("Pierre Ghestem", "France"), ("Oscar Verpoest", "Belgium"),
    ("Henk Laros", "Netherlands"), ("Georges Post", "France"),
    ("Dammis van der Staaij", "Netherlands"), ("Pierre Perot", "France"), ("Henri Chiland", "France"),
    ("Joseph Demesmaecker", "Belgium"), ("Georges Rostan", "Switzerland"),
]  # fmt: skip
"""The players of 1948 with their federations, in the order of the published places."""

PUBLISHED_1948 = {
    "Piet Roozenburg": "2/7w;2/10b;2/2b;2/5w;2/4b;2/8b;2/6w;2/11w;;1/9b;1/3w;"
    "2/7b;2/10w;2/2w;2/5b;2/4w;1/8w;;2/11b;2/6b;2/9w;2/3b;37",
    "Pierre Ghestem": "2/6b;1/9b;;2/8w;0/7w;2/11w;2/4b;1/2b;2/10w;0/5w;1/1b;"
    "0/6w;2/9w;;1/8b;2/7b;2/11b;2/10b;1/2w;1/4w;2/5b;0/1w;26",
}
RESULTS_1947 = {
    "Piet Roozenburg": [("Geert van Dijk", 1), ("Freek Gordijn", 2), ("Pierre Ghestem", 1)],
    "Pierre Ghestem": [("Freek Gordijn", 2), ("Geert van Dijk", 1), ("Piet Roozenburg", 1)],
}
"""The points of each round; both had 4, and the published table has both on place 1 of 4."""


class PublishedGame(NamedTuple):
    """A game of 1948 as the table has it."""

    round: int
    points: int
    opponent: str
    federation: str
    colour: str


def published(name: str) -> list[PublishedGame]:
    """Return the games of 1948; the points at the end of the line must be their sum."""
    *cells, total = PUBLISHED_1948[name].split(";")
    games = []
    for number, cell in enumerate(cells, 1):
        if not cell:
            continue
        points, _, met = cell.partition("/")
        opponent, federation = PLACES_1948[int(met[:-1]) - 1]
        games.append(PublishedGame(number, int(points), opponent, federation, met[-1]))
    assert sum(each.points for each in games) == int(total)
    assert len(games) == 20
    return games


def tallied(points: list[int]) -> list[str]:
    """Return how a table prints these games: how many, won, drawn, lost, and the share."""
    ended = Counter(points)
    share = Decimal(100 * sum(points)) / (2 * len(points))
    rounded = share.quantize(Decimal("0.1"), ROUND_HALF_UP)
    return [str(len(points)), *(str(ended[each]) for each in (2, 1, 0)), str(rounded)]


@pytest.fixture
def champions() -> dict[str, Person]:
    """Roozenburg and Ghestem, with the events of 1947 and 1948."""
    record(DEN_HAAG, WORLD_1948)
    return {each.name: each for each in world_champions()}


@pytest.fixture(params=list(PUBLISHED_1948))
def name(request: pytest.FixtureRequest) -> str:
    """One of the two."""
    found: str = request.param
    return found


@pytest.fixture
def page(client: Client, champions: dict[str, Person], name: str) -> str:
    """The page of one of the two."""
    return read(client, f"/people/{champions[name].pk}/")


def test_places_and_points_are_the_published_ones(page: str, name: str) -> None:
    place = [each for each, _ in PLACES_1948].index(name) + 1
    of_1948 = tallied([each.points for each in published(name)])[:-1]
    of_1947 = tallied([points for _, points in RESULTS_1947[name]])[:-1]
    total = PUBLISHED_1948[name].split(";")[-1]
    # No column says anything that neither source has: no team, no board, no rating, no performance.
    assert rows(page, "events") == [
        ["1948", "World Championship 1948", f"{place} of 11", total, *of_1948],
        ["1947", "ZHDB Vierkamp Den Haag 1947", "1 of 4", "4", *of_1947],
    ]


def test_totals_by_year(page: str, name: str) -> None:
    assert rows(page, "years") == [
        ["1948", "1", *tallied([each.points for each in published(name)])],
        ["1947", "1", *tallied([points for _, points in RESULTS_1947[name]])],
    ]


def test_totals_by_federation(page: str, name: str) -> None:
    of_1948 = [(each.federation, each.points) for each in published(name)]
    # Of 1947 no federation is recorded: a linked opponent has that of 1948, the others have none.
    linked = {opponent: federation for opponent, federation in PLACES_1948 if opponent in RESULTS_1947}
    of_1947 = [(linked.get(opponent, "not known"), points) for opponent, points in RESULTS_1947[name]]
    in_order = sorted([*of_1948, *of_1947])
    expected = {
        federation: tallied([points for _, points in games])
        for federation, games in groupby(in_order, lambda each: each[0])
    }
    found = rows(page, "against")
    assert {head: figures for head, *figures in found} == expected
    assert found[-1][0] == "not known"
    counts = [int(figures[0]) for _, *figures in found[:-1]]
    assert counts == sorted(counts, reverse=True)


def test_best_results_lead_to_their_games(page: str, name: str) -> None:
    medallists = [each for each, _ in PLACES_1948[:3]]
    won = [each for each in published(name) if each.points == 2 and each.opponent in medallists]
    best = sorted(won, key=lambda each: (medallists.index(each.opponent), -each.round))
    found = [
        [year, opponent, event, str(number), "○" if colour == "w" else "●", "2-0"]
        for year, event, number, _, opponent, _, colour in (
            ("1948", "World Championship 1948", *each) for each in best
        )
    ]
    assert rows(page, "best") == found
    for each in best:
        assert f'href="/events/1948-world-championship/rounds/{each.round}/' in page


def test_medals_and_coverage_of_the_site(page: str, name: str) -> None:
    told = {"Piet Roozenburg": (2, 0, 0), "Pierre Ghestem": (1, 0, 1)}[name]
    first, second, third = told
    assert f"Medals: <b>{first}</b> first, <b>{second}</b> second, <b>{third}</b> third" in " ".join(
        page.split()
    )
    assert "2 events linked, 1947–1948. Other events are not counted." in page


def test_colours_of_every_game_of_1948(client: Client, champions: dict[str, Person], name: str) -> None:
    data = client.get(f"/api/people/{champions[name].pk}/").json()["events"]
    (of_1948,) = (each for each in data if each["event"] == "1948-world-championship")
    colours = {"w": "white", "b": "black"}
    assert [
        (each["round"], Decimal(each["own"]), each["opponent"], each["colour"]) for each in of_1948["games"]
    ] == [(each.round, Decimal(each.points), each.opponent, colours[each.colour]) for each in published(name)]


def test_all_games_of_the_two(client: Client, champions: dict[str, Person], name: str) -> None:
    (other,) = champions.keys() - {name}
    met = [each for each in published(name) if each.opponent == other]
    in_order = sorted(met, key=lambda each: each.round, reverse=True)
    lines = rows(read(client, f"/people/{champions[name].pk}/against/{champions[other].pk}/"), "games")
    assert [[*each[:4], each[-1]] for each in lines[:-1]] == [
        [
            "1948",
            "World Championship 1948",
            str(each.round),
            "○" if each.colour == "w" else "●",
            f"{each.points}-{2 - each.points}",
        ]
        for each in in_order
    ]
    assert [*lines[-1][:3], lines[-1][-1]] == ["1947", "ZHDB Vierkamp Den Haag 1947", "3", "1-1"]
    both = rows(read(client, f"/people/{champions[name].pk}/against/"), "met")
    points = [*(each.points for each in met), 1]
    assert both == [[other, *tallied(points)]]
