"""Events that rank by codes of FIDE's Handbook, which contain slashes, colons and signs."""

import csv
import re
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.criteria.examples import CHESS_SWISS, CHESS_TEAMS, Tournament
from standings.engine import RoundKind, Scale
from tests.archives import archived
from tests.cast import stored_event
from tests.standings.drawn import visible
from tournaments.models import Event

PLAYERS = ("PTS", "BH/C1", "BH", "SB/M1", "KS/L+1", "KS/L60", "ARO/C1", "AOB/F", "DE/P", "buchholz", "TPN/R")
TEAMS = ("MPTS", "GPTS", "EDE", "BH:MP/C1/P", "EMGSB/C1", "SSSC/K2/F")
BYES = {RoundKind.BYE: "bye", RoundKind.HALF_BYE: "half-bye", RoundKind.ZERO_BYE: "zero-bye"}

pytestmark = pytest.mark.django_db(transaction=True)


def event_file(tournament: Tournament, slug: str, criteria: tuple[str, ...], **about: Any) -> dict[str, Any]:
    """The generated tournament as an event file."""
    table = tournament.table
    return {
        "format": "crosstable-event",
        "version": 1,
        "event": {
            "slug": slug, "name": slug, "start": "2026-04-01", "state": "final", "discipline": "chess",
            "schedule": "swiss", "rounds": table.rounds, "criteria": list(criteria),
            "scoring": {"game": [1, 0.5, 0], "match": [2, 1, 0]}, "rules": {"unplayed": "fide-2026"}, **about,
        },
        "competitors": [
            {"number": int(number), "name": name, **({"rating": int(rating)} if rating else {})}
            for number, name, rating in zip(table.numbers, table.names, table.rating, strict=True)
        ],
        "rounds": [
            {"number": at + 1, "pairings": list(pairings_of(tournament, at))} for at in range(table.rounds)
        ],
    }  # fmt: skip


def pairings_of(tournament: Tournament, at: int) -> Any:
    table = tournament.table
    points = table.points(Scale.GAME)[:, at] / 2
    rows = [row for row in range(len(table.names)) if row not in table.opponent[:row, at]]
    for number, row in enumerate(rows, start=1):
        kind, other = RoundKind(int(table.state[row, at])), int(table.opponent[row, at])
        pairing: dict[str, Any] = {"table": number, "first": int(table.numbers[row])}
        if other < 0:
            yield pairing | {"kind": BYES[kind], "score": [points[row], None]}
            continue
        pairing |= {"second": int(table.numbers[other]), "score": [points[row], points[other]]}
        yield pairing | ({"kind": "forfeit"} if kind is RoundKind.FORFEIT else {})


@pytest.fixture
def players() -> Event:
    return stored_event(event_file(CHESS_SWISS, "handbook", PLAYERS, entrants="players", system="fide-swiss"))


@pytest.fixture
def teams() -> Event:
    about = {"entrants": "teams", "boards": 4, "system": "fide-team-swiss"}
    return stored_event(event_file(CHESS_TEAMS, "handbook-teams", TEAMS, **about))


def links(client: Client, address: str, pattern: str) -> set[str]:
    page = client.get(address).content.decode()
    return {
        urljoin(address, found) for found in re.findall(r'href="([^"#]*)"', page) if re.search(pattern, found)
    }


def test_headings_use_handbook_codes_and_values_have_explanations(players: Event, client: Client) -> None:
    page = client.get("/events/handbook/standings/").content.decode()
    heads = re.findall(r'<a id="sort-([^"]*)"', page)
    assert heads[-len(PLAYERS) :] == [code.replace("/", "-") for code in PLAYERS]
    values = links(client, "/events/handbook/standings/", r"competitors/4/.+/$")
    assert len(values) == len(PLAYERS)
    for address in sorted(values):
        assert client.get(address).status_code == 200, address


def test_team_values_by_match_or_game_points(teams: Event, client: Client) -> None:
    values = links(client, "/events/handbook-teams/standings/", r"competitors/1/.+/$")
    assert "/events/handbook-teams/competitors/1/BH:MP-C1-P/" in values
    for address in sorted(values):
        assert client.get(address).status_code == 200, address


@pytest.mark.parametrize("code", ["BH-C1", "KS-L%2B1", "ARO-C1"])
def test_table_can_be_sorted_by_a_code(players: Event, client: Client, code: str) -> None:
    best, worst = (
        client.get(f"/events/handbook/standings/?sort={code}&dir={way}").content.decode()
        for way in ("desc", "asc")
    )
    assert 'aria-sort="descending"' in best
    assert 'aria-sort="ascending"' in worst


def test_competitors_without_a_value_are_last_with_a_note(players: Event, client: Client) -> None:
    page = client.get("/events/handbook/standings/?sort=ARO-C1&dir=desc").content.decode()
    rows = [
        visible(row)
        for row in page.split('<tbody id="rows" tabindex="-1">')[1].split("</tbody>")[0].strip().split("\n")
    ]
    assert "Nick" in rows[-1]
    assert "no value, because no results count for it" in page


def test_explanation_names_the_articles(players: Event, client: Client) -> None:
    text = visible(client.get("/events/handbook/competitors/4/BH-C1/").content.decode())
    assert "half-point bye: a dummy with 2½ (own score 3½, at most 2½, 16.4.2)" in text
    assert "voluntary unplayed round, cut first (16.5)" in text
    assert "2 counts as 3: requested byes at the end are draws (16.3.2)" in text


@pytest.mark.parametrize("code", ["BH/C1", "bh-c1", "BH-X1", "BH-C1-C2", "SB-L2"])
def test_other_spelling_has_no_explanation(players: Event, client: Client, code: str) -> None:
    assert client.get(f"/events/handbook/competitors/4/{code}/").status_code == 404


def test_comparison_names_the_deciding_criterion_and_its_article(players: Event, client: Client) -> None:
    text = visible(client.get("/events/handbook/compare/3/4/").content.decode())
    phrase = "sum of the opponents' points, without the weakest"
    assert f"Charline is above David: {phrase} ( BH-C1 ), 13 to 11½" in text
    assert "Buchholz Cut 1 (C.07 8.1)" in text


def test_cards_and_cross_table_contain_the_codes(players: Event, client: Client) -> None:
    for page in ("", "competitors/4/", "crosstable/", "statistics/", "check/", "standings/after/3/"):
        assert client.get(f"/events/handbook/{page}").status_code == 200, page


def test_explanation_needs_no_additional_queries(
    players: Event, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(20):
        client.get("/events/handbook/competitors/4/BH-C1/")


def test_data_contain_the_code_as_in_reports(players: Event, client: Client) -> None:
    rows = client.get("/api/events/handbook/standings/").json()
    assert rows["criteria"] == list(PLAYERS)
    answer = client.get("/api/events/handbook/competitors/4/BH-C1/").json()
    assert (answer["criterion"], answer["levels"]) == ("BH/C1", ["11.5"])
    heads = next(csv.reader(StringIO(client.get("/events/handbook.csv").content.decode("utf-8-sig"))))
    assert [head for head in heads if head in PLAYERS] == list(PLAYERS)


def test_archive_explains_every_value_with_portable_file_names(teams: Event, tmp_path: Path) -> None:
    folder = archived("handbook-teams", tmp_path)
    names = [file.relative_to(folder).as_posix() for file in folder.rglob("*")]
    assert "criteria/BH-MP-C1-P/index.html" in names
    assert [name for name in names if re.search(r'[:*?"<>|\\]', name)] == []
    page = (folder / "standings" / "index.html").read_text(encoding="utf-8")
    # Archives omit optional quotes.
    (value,) = set(re.findall(r'href="?([^"\s>]*competitors/1/[^"\s>]*#BH:MP-C1-P)["\s>]', page))
    file, _, anchor = value.partition("#")
    target = (folder / "standings" / file).resolve()
    assert re.search(rf'id="?{re.escape(anchor)}["\s>]', target.read_text(encoding="utf-8"))
