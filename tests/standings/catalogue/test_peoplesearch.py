"""Search for persons, teams and places, including hostile input."""

import pytest
from django.db import connection
from django.test import Client

from standings.catalogue.listing import Listing
from tests.cast import create_player_event, create_team_event
from tournaments.models import (
    Competitor,
    Event,
    Person,
    PersonIdentifier,
    PersonLink,
    PersonName,
    Player,
    SearchEntry,
    Team,
    TeamCode,
    TeamLink,
    TeamName,
)
from tournaments.search.index import refresh

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Carlsen, Magnus", "Карлсен, Магнус", "卡尔森", "كارلسن", "Κάρλσεν", "Carlsen-Øen")
BOSCH = "’s-Hertogenbosch"


@pytest.fixture
def person() -> Person:
    """Return a person with names in five scripts who plays as Ann in a public event."""
    event = create_player_event()
    person = Person.objects.create(name="Magnus Carlsen", key="carlsen magnus")
    for name in NAMES:
        PersonName.objects.create(person=person, name=name, key="")
    PersonIdentifier.objects.create(person=person, scheme="fide", value="1503014")
    ann = Competitor.objects.get(event=event, name="Ann")
    PersonLink.objects.create(person=person, event=event, competitor=ann, how="hand", number=1, name="Ann")
    return person


def persons(words: str) -> list[str]:
    found = Listing({"q": words}).hits
    return found.persons.splitlines() if found else []


def places(words: str) -> str:
    found = Listing({"q": words}).hits
    return found.places if found else ""


@pytest.mark.parametrize(
    "query", [*NAMES, "magnus carlsen", "karls mag", "Карлсен", "1503014", "m", "ca", "MAGNÚS"]
)
def test_a_person_is_found_by_every_name_and_id(person: Person, query: str) -> None:
    assert len(persons(query)) == 1
    assert Listing({"q": query}).best == f"/people/{person.pk}-magnus-carlsen/" or query in {"m", "ca"}


def test_typing_errors_are_corrected_only_without_other_matches(person: Person) -> None:
    listing = Listing({"q": "magnus carlson"})
    assert (listing.correction, listing.best) == ("Magnus Carlsen", "")
    Competitor.objects.filter(name="Bea").update(name="Carlson, Magnus")
    assert (Listing({"q": "magnus carlson"}).correction, persons("magnus carlson")) == ("", [])
    assert persons("magnus karlson")


def test_terms_that_never_match_together_are_corrected(person: Person) -> None:
    Competitor.objects.filter(name="Bea").update(name="Bea Carlson")
    assert Listing({"q": "magnus carlson"}).correction == "Magnus Carlsen"


def test_changes_of_any_kind_are_found_at_once(person: Person) -> None:
    assert persons("magnus")
    PersonName.objects.create(person=person, name="Zoë", key="")
    assert persons("zoe")
    PersonName.objects.filter(name="Zoë").delete()
    assert not persons("zoe")
    Person.objects.update(name="Sven Karlström")
    assert persons("karlstrom sven")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tournaments_personname SET name = 'Yngve' WHERE name = 'Carlsen-Øen'")
    assert persons("yngve")


@pytest.mark.parametrize("query", ["magnus", "Карлсен", "1503014", "ann"])
def test_hidden_and_unpublished_persons_are_not_found(person: Person, query: str) -> None:
    assert persons(query)
    Person.objects.update(hidden=True)
    assert persons(query) == []
    Person.objects.update(hidden=False)
    for state in (Event.State.DRAFT, Event.State.REMOVED):
        Event.objects.update(state=state)
        assert persons(query) == []
    Event.objects.update(state=Event.State.FINAL)
    assert persons(query)


def test_hidden_names_are_removed_from_the_index(person: Person, client: Client) -> None:
    refresh()
    Person.objects.update(hidden=True)
    assert client.get("/suggest/?q=magnus").json()["items"] == []
    for each in SearchEntry.objects.all():
        assert "magnus" not in f"{each.words}{each.folded}{each.shown.lower()}"


def test_merged_person_is_found_only_by_names_of_its_target(person: Person) -> None:
    Person.objects.create(name="Sven Magnusson", key="", merged_into=person)
    assert len(persons("magnus")) == 1
    assert persons("magnusson") == []


def test_deleted_person_is_removed_from_the_index(person: Person) -> None:
    other = Person.objects.create(name="Bea Berg", key="")
    bea = Competitor.objects.get(name="Bea")
    PersonLink.objects.create(person=other, event=bea.event, competitor=bea, how="hand", number=2, name="Bea")
    assert persons("magnus")
    PersonLink.objects.filter(person=person).delete()
    person.delete()
    assert (persons("magnus"), len(persons("berg"))) == ([], 1)
    assert not SearchEntry.objects.filter(folded__contains="magnus").exists()


def test_link_does_not_rebuild_the_index(person: Person) -> None:
    refresh()
    PersonLink.objects.update(reason="looked up")
    assert refresh() == 1  # the event


def test_a_team_is_found_by_each_name_and_code() -> None:
    event = create_team_event()
    team = Team.objects.create(name="Red Star", key="", kind="clubs")
    TeamName.objects.create(team=team, name="Rode Ster", key="")
    TeamCode.objects.create(team=team, code="RST")
    reds = Competitor.objects.get(event=event, name="Reds")
    TeamLink.objects.create(team=team, event=event, competitor=reds, how="hand", number=1, name="Reds")
    address = f"/teams/{team.pk}-red-star/"
    for asked in ("red star", "ster rode", "rst"):
        found = Listing({"q": asked})
        assert found.hits
        assert f'href="{address}" autofocus' in found.hits.teams_over_events
        assert found.best == address
    Team.objects.update(name="Blue Star")
    assert Listing({"q": "red star"}).best == ""


def test_places_are_a_group_with_countries_in_every_language(client: Client) -> None:
    create_player_event()
    Event.objects.update(place=BOSCH, country="NED")
    for asked in ("hertogenb", BOSCH, "S HERTOGENBOSCH"):
        assert 'href="/?place=%E2%80%99s-Hertogenbosch"' in places(asked)
    assert 'href="/?country=NED"' in places("nederland")
    assert places("nederland") == places("Netherlands")
    kinds = [each["kind"] for each in client.get("/suggest/?q=nederland").json()["items"]]
    assert "place" in kinds
    totals = [client.get("/api/events/", {"place": each}).json()["total"] for each in (BOSCH, "Elsewhere")]
    assert totals == [1, 0]
    Event.objects.update(state=Event.State.DRAFT)
    assert places("nederland") == ""


ATTACKS = [
    *(
        '"',
        '""',
        "'",
        "\\",
        "a\\'b",
        "NEAR(a b, 2)",
        "a AND b",
        "NOT a",
        "a OR",
        "a*",
        "*",
        "^a",
        "-a",
        "a:b",
    ),
    *("words:ann", "'ann':*", "ann | bea", "!ann", "<->", "%", "_", "a\x00b", "\ud800", "\U0001f600", "{a}"),
    *("=netherlands", "^ann", "~ann+bea", "<an", "ann+bea", "x" * 10_000, "a " * 5_000, "; DROP TABLE x"),
    *("\n\t", "\u202eann", "فيشر", "李世乭", "Ψυχή", "\u200d", "$$ || $$", "%s", "{0}", "...", ""),
]


PAGES = ("/", "/find/", "/suggest/", "/people/", "/nl/")


def test_query_operators_of_the_databases_are_plain_text(
    client: Client, person: Person, subtests: pytest.Subtests
) -> None:
    for number, asked in enumerate(ATTACKS):
        query = "".join(f"%{byte:02x}" for byte in asked.encode("utf-8", "surrogatepass"))
        with subtests.test(number=number):
            page = PAGES[number % len(PAGES)]
            assert client.get(f"{page}?q={query}").status_code in {200, 302}
            assert Listing({"q": asked}).total <= 1


def test_suggestions_are_few_and_short(client: Client, person: Person) -> None:
    Person.objects.bulk_create(Person(name=f"Magnus {at}", key="") for at in range(50))
    answer = client.get("/suggest/", {"q": "m" + "x" * 20_000})
    assert answer.json() == {"items": []}
    assert len(client.get("/suggest/?q=m").json()["items"]) <= 8


def test_player_of_a_team_opens_the_person_page() -> None:
    event = create_team_event()
    Event.objects.update(state=Event.State.LIVE)
    player = Player.objects.get(name="Reds 1")
    person = Person.objects.create(name="Reds 1", key="")
    PersonLink.objects.create(person=person, event=event, player=player, how="hand", number=1, name="Reds 1")
    assert Listing({"q": "reds 1"}).best == f"/people/{person.pk}-reds-1/"
