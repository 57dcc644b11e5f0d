"""Comparison of two competitors: the deciding criterion, the requested round, and the choice of the other."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.cast import create_account, create_team_event
from tests.demo import record
from tournaments.models import Competitor, Event
from tournaments.recording.overrides import override_place, override_value

pytestmark = pytest.mark.django_db

OUAGADOUGOU = "2022-ouagadougou-open"
CHENNAI = "olympiad-2022-open"
REASON = "He was promised it."


@pytest.fixture
def anna() -> User:
    return create_account("anna")


def recorded(slug: str) -> Event:
    record(slug)
    return Event.objects.get(slug=slug)


def page(client: Client, address: str) -> str:
    """Return the text of a page without tags."""
    answer = client.get(f"/events/{address}")
    assert answer.status_code == 200
    inside = answer.content.decode().partition('<div class="event">')[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", inside)).split())


def lines(client: Client, address: str) -> list[list[str]]:
    """Return the rows of the table of criteria: criterion, both values, verdict."""
    sides = client.get(f"/events/{address}").content.decode().partition('class="scroll sides"')[2]
    body = sides.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", body, re.DOTALL)
    cells = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows)
    return [[unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in row] for row in cells]


# --- decision ---------------------------------------------------------------------------------------------


def test_ruling_on_the_place_decides(client: Client, anna: User) -> None:
    override_place(recorded(OUAGADOUGOU), 8, 2, anna, REASON, after=9)
    address = f"{OUAGADOUGOU}/compare/2/8/"
    text = page(client, address)
    assert "Coulibaly, Moussa is above Nga, Landry by the arbiter's decision on the place*." in text
    assert f"* The place of Coulibaly, Moussa was set to 2 (computed then: 8). {REASON} (anna, " in text
    place, *criteria = lines(client, address)
    assert place == ["Place", "3", "2*", "decides"]
    verdicts = [verdict for *_values, verdict in criteria]
    assert verdicts == ["would decide without the arbiter's decision", *["not needed; Nga ahead"] * 4]
    assert len({*criteria[0][1:3]}) == 2


def test_ruling_on_other_competitors_does_not_decide(client: Client, anna: User) -> None:
    override_place(recorded(OUAGADOUGOU), 8, 2, anna, REASON, after=9)
    text = page(client, f"{OUAGADOUGOU}/compare/3/4/")
    assert "ruling" not in text
    assert REASON not in text


def test_place_shared_by_a_ruling_is_shown_as_shared(client: Client, anna: User) -> None:
    event = recorded(OUAGADOUGOU)
    for number in (7, 8):
        override_place(event, number, 7, anna, REASON, after=9)
    address = f"{OUAGADOUGOU}/compare/7/8/"
    assert "They share a place by the arbiter's decision*." in page(client, address)
    assert lines(client, address)[0] == ["Place", "7*", "7*", "decides"]
    assert "would decide without the arbiter's decision" in [
        verdict for *_values, verdict in lines(client, address)
    ]


def test_deciding_ruled_value_has_a_star_and_a_reason(client: Client, anna: User) -> None:
    event = create_team_event()
    override_value(event, 1, "match-points", ["9"], anna, REASON)
    text = page(client, "two-teams/compare/1/2/")
    assert "Reds has more match points ( MP ): 9* to 0 ." in text
    assert f"* Match points of Reds was set to 9 (computed then: 2). {REASON} (anna, " in text


def test_values_of_an_annulled_competitor_are_not_called_level(client: Client) -> None:
    event = recorded("1947-vierkamp-den-haag")
    Competitor.objects.filter(event=event, number=1).update(withdrawn_after=1)
    for name, first, second, verdict in lines(client, "1947-vierkamp-den-haag/compare/1/2/"):
        assert verdict == ("level" if first == second else ""), name


# --- after a round ----------------------------------------------------------------------------------------


def test_boards_of_later_rounds_are_omitted(client: Client) -> None:
    recorded(CHENNAI)
    address = f"{CHENNAI}/compare/121/59/"
    final, earlier = page(client, address), page(client, f"{address}?after=5")
    assert "They have not met" not in final
    assert "Round 7:" in final
    assert "They had not met by round 5." in earlier
    assert "Round 7" not in earlier


def test_rulings_of_later_rounds_are_omitted(client: Client, anna: User) -> None:
    override_place(recorded(OUAGADOUGOU), 8, 2, anna, REASON, after=9)
    assert REASON not in page(client, f"{OUAGADOUGOU}/compare/2/8/?after=8")


# --- choice of the other ------------------------------------------------------------------------------------


def offered(client: Client, address: str) -> dict[str, list[int]]:
    """Return the offered start numbers by heading."""
    choice = client.get(f"/events/{address}").content.decode()
    choice = choice.partition('<select id="second"')[2].partition("</select>")[0]
    groups = re.findall(r'<optgroup label="([^"]*)">(.*?)</optgroup>', choice, re.DOTALL)
    return {name: [int(each) for each in re.findall(r'value="(\d+)"', options)] for name, options in groups}


def test_neighbours_and_opponents_are_offered_first(client: Client) -> None:
    recorded(OUAGADOUGOU)
    found = offered(client, f"{OUAGADOUGOU}/competitors/8/")
    assert list(found) == ["Neighbours in the standings", "Opponents", "All others"]
    assert found["Neighbours in the standings"] == [6, 7, 9, 10]
    opponents = found["Opponents"]
    assert opponents
    assert not {*opponents} & {6, 7, 9, 10}
    numbers = [number for group in found.values() for number in group]
    assert sorted(numbers) == [number for number in range(1, 69) if number != 8]


def test_first_place_has_neighbours_below_only(client: Client) -> None:
    recorded(OUAGADOUGOU)
    assert offered(client, f"{OUAGADOUGOU}/competitors/1/")["Neighbours in the standings"] == [2, 3]


def test_heading_without_competitors_is_omitted(client: Client) -> None:
    create_team_event()
    assert offered(client, "two-teams/competitors/3/") == {"Neighbours in the standings": [1, 2]}
