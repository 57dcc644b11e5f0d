"""Events of clubs and cities: the country's flag follows the code, and codes are not federations."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from tests.cast import Desk, create_desk, save_settings
from tests.tournaments.interchange.formats import samples
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.import_diff import compare_with_stored
from tournaments.models import Competitor, Event
from tournaments.stored import load

pytestmark = pytest.mark.django_db


def clubs(**about: Any) -> dict[str, Any]:
    """Three clubs: with the code of Barbados, with its country's code and a number, and without a code."""
    data = samples.teams()
    data["event"].update(teams_are="clubs", slug="club-cup", name="Club Cup", **about)
    del data["event"]["former_slugs"]
    barcelona, apeldoorn, _ = data["competitors"]
    barcelona.update(name="Barcelona", code="BAR", flag="ESP")
    apeldoorn.update(name="Apeldoorn", code="NED1", flag="NED")
    return data


@pytest.fixture
def cup() -> Event:
    return apply(compare_with_stored(samples.document(clubs())))


def cells(client: Client, address: str, css: str) -> list[str]:
    page = client.get(address).content.decode()
    return re.findall(rf'<t[dh][^>]*class="?{css}"?[^>]*>(.*?)(?=</?t[dhr])', page)


def test_flag_follows_the_code_in_the_table(cup: Event, client: Client) -> None:
    found = cells(client, "/events/club-cup/standings/", "code")
    assert any(re.fullmatch(r'BAR <img class="flag" src="[^"]*flags/es.svg"[^>]*>', cell) for cell in found)
    assert any(re.fullmatch(r'NED1 <img class="flag" src="[^"]*flags/nl.svg"[^>]*>', cell) for cell in found)
    assert not any("flag" in cell for cell in cells(client, "/events/club-cup/standings/", "who"))


def test_code_of_a_club_is_not_a_federation(cup: Event, client: Client) -> None:
    """BAR is Barbados in an event of nations."""
    Competitor.objects.filter(event=cup, number=1).update(flag="")
    for page in (
        "",
        "standings/",
        "competitors/",
        "competitors/1/",
        "rounds/1/",
        "rounds/1/1/",
        "statistics/",
    ):
        assert "flags/bb.svg" not in client.get(f"/events/club-cup/{page}").content.decode(), page
    assert "flags/bb.svg" not in client.get("/series/team-cup/").content.decode()


def test_nations_have_the_flag_at_the_name(client: Client) -> None:
    data = samples.teams()
    del data["event"]["teams_are"]
    apply(compare_with_stored(samples.document(data)))
    assert any("flags/nl.svg" in cell for cell in cells(client, "/events/three-teams/standings/", "who"))
    assert not any("flag" in cell for cell in cells(client, "/events/three-teams/standings/", "code"))


def test_cards_show_the_flag_after_the_code(cup: Event, client: Client) -> None:
    card = client.get("/events/club-cup/competitors/1/").content.decode()
    heading = card.partition("<h2>")[2].partition("</h2>")[0]
    assert "flag" not in heading
    assert re.search(
        r'<span><a href="/codes/#clubs-bar-barcelona">BAR</a> <img class="flag"[^>]*es.svg', card
    )
    assert any("es.svg" in cell for cell in cells(client, "/events/club-cup/competitors/", "code"))


def test_club_without_a_code_has_no_empty_link(cup: Event, client: Client) -> None:
    Competitor.objects.filter(event=cup, number=3).update(flag="FRA")
    card = client.get("/events/club-cup/competitors/3/").content.decode()
    assert "/codes/#clubs" not in card
    assert re.search(r'<span><img class="flag"[^>]*fr.svg', card)


# --- page of codes ----------------------------------------------------------------------------------------


def test_codes_lists_clubs_and_cities_with_their_events(cup: Event, client: Client) -> None:
    data = clubs()
    data["event"].update(teams_are="cities", slug="city-cup", name="City Cup")
    apply(compare_with_stored(samples.document(data)))
    page = client.get("/codes/").content.decode()
    listed = page.partition('id="clubs"')[2].partition('id="cities"')[0]
    assert 'id="clubs-bar-barcelona"' in listed
    assert '<a href="/events/club-cup/competitors/1/">Club Cup</a>' in listed
    assert "flags/es.svg" in listed
    assert "City Cup" not in listed
    assert 'id="cities-bar-barcelona"' in page
    assert '<a href="/events/city-cup/competitors/1/">City Cup</a>' in page
    assert '<a href="#clubs">' in page


def test_codes_sorts_clubs_by_letters(cup: Event, client: Client) -> None:
    Competitor.objects.filter(name="Barcelona").update(name="Ávila")
    page = client.get("/codes/").content.decode()
    listed = page.partition('id="clubs"')[2]
    assert listed.index("Apeldoorn") < listed.index("Ávila") < listed.index("</table>")
    third = Competitor.objects.exclude(name__in=("Ávila", "Apeldoorn")).get()
    Competitor.objects.filter(pk=third.pk).update(name="Zon")
    listed = client.get("/codes/").content.decode().partition('id="clubs"')[2]
    assert listed.index("Ávila") < listed.index("Zon")


def test_codes_omits_clubs_of_a_draft(cup: Event, client: Client) -> None:
    assert "Club Cup" in client.get("/codes/").content.decode()
    Event.objects.filter(pk=cup.pk).update(state=Event.State.DRAFT)
    page = client.get("/codes/").content.decode()
    assert "Barcelona" not in page
    assert 'id="clubs"' not in page


# --- file, form, API --------------------------------------------------------------------------------------


def test_flag_of_a_club_is_stored_even_if_equal_to_the_code(cup: Event) -> None:
    document = samples.document(clubs())
    assert [each.flag for each in document.competitors] == ["ESP", "NED", ""]
    assert load("club-cup") == document
    assert read(write(document)).document == document


def test_imported_table_keeps_the_flag(cup: Event) -> None:
    csv = b"number,name,code,flag\n2,Apeldoorn,NED1,NED\n"
    found = samples.read_into(load("club-cup"), "clubs.csv", csv).document
    assert found
    assert found.competitors[1].flag == "NED"


def test_event_of_players_has_no_clubs() -> None:
    data = samples.players()
    data["event"]["teams_are"] = "clubs"
    (finding,) = read(samples.text(data)).errors
    assert (finding.code, finding.where) == ("teams-only", "event.teams_are")


def test_api_states_the_kind_of_teams(cup: Event, client: Client) -> None:
    assert json.loads(client.get("/api/events/club-cup/").content)["event"]["teams_are"] == "clubs"


def test_kind_of_teams_is_a_setting_at_the_desk() -> None:
    desk: Desk = create_desk()
    answer = save_settings(desk.browser("organiser"), desk.event, teams_are="clubs")
    assert answer.status_code == 302
    assert Event.objects.get(pk=desk.event.pk).teams_are == "clubs"
