"""Ranking, corrections and suggestions of the search are the same on both databases."""

import re

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from standings.catalogue import search
from standings.catalogue.eventlines import listed_events
from standings.catalogue.filters import current_catalogue
from standings.catalogue.listing import Listing
from standings.catalogue.search import Search
from standings.catalogue.search_terms import SearchQuery, search_tokens
from tests.cast import create_player_event, create_team_event
from tournaments.models import Competitor, Event, Person, PersonLink
from tournaments.operations.revision import site_revision
from tournaments.people.services.hiding import hide
from tournaments.search.index import refresh

pytestmark = pytest.mark.django_db


def events(names: list[list[str]]) -> None:
    """Create an event from each list: its own name, then those of its competitors."""
    Event.objects.all().delete()
    for at, (own, *competitors) in enumerate(names):
        event = create_player_event(f"event-{at}")
        Event.objects.filter(pk=event.pk).update(name=own or "-", place="", start="", series=None)
        event.rounds.all().delete()
        event.competitors.all().delete()
        Competitor.objects.bulk_create(
            Competitor(event=event, number=number, name=name or "-")
            for number, name in enumerate(competitors, 1)
        )


NAMES = st.text("aab ", max_size=14).map(lambda text: " ".join(text.split()))
LINES = st.lists(NAMES, min_size=1, max_size=4)


@settings(suppress_health_check=list(HealthCheck))
@given(st.lists(LINES, max_size=4), st.lists(st.text("aab", min_size=1, max_size=4), min_size=1, max_size=3))
def test_matches_contain_the_searched_text(names: list[list[str]], words: list[str]) -> None:
    events(names)
    refresh()

    def has(text: str, word: str) -> bool:
        return any(each.startswith(word) for each in text.split())

    expected = {
        f"event-{at}"
        for at, (own, *others) in enumerate(names)
        if any(all(has(own, word) or has(line, word) for word in words) for line in (own, *others))
    }
    every = current_catalogue(site_revision())
    found = every.pks[Search(every, SearchQuery(words)).found].tolist()
    assert {event.slug for event in listed_events(found)} == expected


def test_full_name_comes_first_in_any_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_SOURCES", 3)
    events(
        [*[[f"Open {at}", f"Carlsenius {at}", f"Anna Carlsen {at}"] for at in range(6)], ["Last", "Carlsen"]]
    )
    hits = Listing({"q": "carlsen"}).hits
    assert hits
    assert hits.players.index(">Carlsen</a>") < hits.players.index(">Anna Carlsen ")
    assert hits.more


def test_incomplete_search_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    events([[f"Open {at}", "Ann Smit", "Bea Jansen"] for at in range(4)])
    assert not Listing({"q": "ann jan"}).is_partial
    monkeypatch.setattr(search, "MOST_READ_THROUGH", 2)
    monkeypatch.setattr(search, "FEW_READ_THROUGH", 2)
    assert Listing({"q": "ann jan"}).is_partial
    # Two whole words of the same name are indexed together, however many events have both.
    assert not Listing({"q": "bea jan"}).is_partial


def test_long_name_is_found_by_any_two_terms() -> None:
    words = [f"{letter * 4}" for letter in "abcdefghijklmn"]
    events([["Open", " ".join(words)], ["Cup", *words]])
    for one, other in zip(words, reversed(words), strict=True):
        if one != other:
            assert Listing({"q": f"{one} {other[:3]}"}).total == 1, (one, other)


def test_no_names_are_read_if_terms_never_match_together(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    events([[f"Open {at}", "Anna Smit", "Bea Jansen"] for at in range(4)])
    refresh()
    every, query = current_catalogue(site_revision()), SearchQuery(["anna", "jansen"])
    with django_assert_num_queries(0):
        assert not Search(every, query).found.any()


@pytest.mark.parametrize("query", ["karlsen", "Карлсен", "carlsn", "magnus karlsen"])
def test_corrected_terms_are_shown(client: Client, query: str) -> None:
    events([["Open", "Carlsen, Magnus"]])
    listing = Listing({"q": query})
    assert (listing.total, listing.best) == (1, "")
    assert listing.correction.endswith("Carlsen")
    page = client.get("/", {"q": query}).content.decode()
    assert f"Not found: <b>{query}</b>; shown: <b>{listing.correction}</b>" in page
    assert client.get("/api/events/", {"q": query}).json()["total"] == 0


def test_correction_never_reveals_an_unpublished_name() -> None:
    events([["Open", "Carlsen"]])
    refresh()
    Event.objects.update(state=Event.State.DRAFT)
    assert (Listing({"q": "karlsen"}).total, Listing({"q": "karlsen"}).correction) == (0, "")
    assert (Listing({"q": "zzzzz"}).total, Listing({"q": "zzzzz"}).correction) == (0, "")


@pytest.mark.parametrize("query", ["magnos", "carlsan", "magnos carlsan"])
def test_a_hidden_name_is_not_guessed(client: Client, query: str) -> None:
    """The words stay among those that can be misspelt, and begin names of others whom readers see."""
    events([["Open", "Carlsen, Magnus", "Carlsener, Magnusson"]])
    carlsen = Competitor.objects.get(name="Carlsen, Magnus")
    person = Person.objects.create(name="Magnus Carlsen", key="carlsen magnus")
    PersonLink.objects.create(
        person=person, event=carlsen.event, competitor=carlsen, how="hand", number=1, name=carlsen.name
    )
    assert Listing({"q": query}).correction
    hide(person, "otto", "Asked by letter.")
    assert Listing({"q": query}).correction == ""
    for page in ("/", "/find/", "/suggest/", "/people/", "/api/events/"):
        answer = client.get(page, {"q": query}, follow=True)
        assert answer.status_code == 200
        assert not re.search(r"\b(magnus|carlsen)\b", answer.content.decode(), re.IGNORECASE), page


def test_a_hidden_person_is_not_found_by_club() -> None:
    events([["Open", "Carlsen, Magnus"]])
    carlsen = Competitor.objects.get()
    Competitor.objects.update(club="Offerspill")
    assert Listing({"q": "offerspill"}).total == 1
    person = Person.objects.create(name="Magnus Carlsen", key="carlsen magnus", hidden=True)
    PersonLink.objects.create(
        person=person, event=carlsen.event, competitor=carlsen, how="hand", number=1, name=carlsen.name
    )
    assert Listing({"q": "offerspill"}).total == 0


def test_a_name_in_a_draft_is_not_guessed() -> None:
    events([["Open", "Magnusson"], ["Trial", "Magnus"]])
    assert Listing({"q": "magnos"}).correction == "Magnus"
    Event.objects.filter(name="Trial").update(state=Event.State.DRAFT)
    assert Listing({"q": "magnos"}).correction == ""


@pytest.mark.parametrize(
    ("term", "found"),
    [
        ("niger", {"=niger"}),
        ("dominica", {"=dominica"}),
        ("mexico", {"=mexico"}),
        ("samoa", {"=samoa", "=americansamoa"}),
        ("velden", set()),
        ("dammen", {"=draughts100", "=frisian"}),
    ],
)
def test_complete_name_finds_no_longer_or_foreign_name(term: str, found: set[str]) -> None:
    assert SearchQuery([term]).words[0].tokens == found


def test_number_of_terms_is_limited() -> None:
    assert search_tokens("  a\nb ") == ["a", "b"]
    assert len(search_tokens("a " * 50)) == 8


def test_suggestions_are_few_and_lead_to_pages(client: Client) -> None:
    create_team_event()
    create_player_event()

    def suggested(words: str) -> list[str]:
        items = client.get("/suggest/", {"q": words}).json()["items"]
        assert all(client.get(each["address"]).status_code == 200 for each in items)
        return [f"{each['kind']}: {each['label']}" for each in items]

    assert suggested("blues") == ["team: Blues", "player: Blues 1", "player: Blues 2", "event: Cup of Teams"]
    assert suggested("match") == ["event: Match of Two"]
    assert suggested("nobody") == suggested("") == []
    assert client.get("/suggest/?q=ann")["Cache-Control"]
    assert len(suggested("b r g a m c")) <= 8


def test_enter_opens_the_entry_in_the_live_event(client: Client) -> None:
    """Linked to a person or not; the fragment of the redirect leads to the other matches."""
    events([["Cup", "Carlsen, Magnus", "Anand"], ["Open", "Magnus Carlsen"]])
    Event.objects.filter(slug="event-0").update(start="2019")
    refresh()
    card = "/events/event-0/competitors/1/"
    person = Person.objects.create(name="Magnus Carlsen", key="carlsen magnus")
    for entry in Competitor.objects.exclude(name="Anand"):
        PersonLink.objects.create(
            person=person, event=entry.event, competitor=entry, how="hand", number=1, name=entry.name
        )
    career = f"/people/{person.pk}-magnus-carlsen/"

    def opened(words: str) -> str:
        return client.get("/find/", {"q": words})["Location"]

    assert opened("magnus carlsen") == f"{career}#q=magnus%20carlsen"
    assert opened("anand") == "/events/event-0/competitors/2/"
    Event.objects.filter(slug="event-0").update(state=Event.State.LIVE)
    assert opened("Magnus  Carlsén") == f"{card}#q=Magnus%20Carls%C3%A9n"
    first = client.get("/suggest/?q=carls").json()["items"][:2]
    assert [each["address"] for each in first] == [card, career]
    page = client.get("/?q=carlsen").content.decode()
    assert page.index("In progress") < page.index(f'{card}" autofocus') < page.index(career)
    PersonLink.objects.filter(event__slug="event-0").delete()
    assert opened("magnus carlsen") == f"{card}#q=magnus%20carlsen"
    PersonLink.objects.all().delete()
    assert opened("carlsen") == f"{card}#q=carlsen"


def test_linked_person_comes_first_and_is_opened_by_enter(client: Client) -> None:
    events([["Open", "Carlsen"], ["Masters", "Carlsen", "Carlsson"]])
    person = Person.objects.create(name="Magnus Carlsen", key="carlsen magnus")
    for competitor in Competitor.objects.filter(name="Carlsen"):
        PersonLink.objects.create(
            person=person,
            event=competitor.event,
            competitor=competitor,
            how=PersonLink.How.HAND,
            number=competitor.number,
            name="Carlsen",
        )
    address = f"/people/{person.pk}-magnus-carlsen/"
    listing = Listing({"q": "carlsen"})
    assert listing.best == address
    assert listing.hits
    assert listing.hits.persons.count("<li>") == 1
    page = client.get("/?q=carlsen").content.decode()
    assert f'<a class="name" href="{address}" autofocus>Magnus Carlsen</a>' in page
    assert client.get("/suggest/?q=carls").json()["items"][0]["address"] == address
    Person.objects.update(hidden=True)
    assert Listing({"q": "carlsen"}).total == 0
    assert client.get("/suggest/?q=carlsen").json()["items"] == []
