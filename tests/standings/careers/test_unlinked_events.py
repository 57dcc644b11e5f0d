"""A person's page lists unlinked events with a competitor of the same name."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from standings.caching import page_cache
from tests.linked import league, link_person, person, players_named
from tests.standings.pages.reading import read, rows
from tournaments.models import Event, LinkRefusal, Person, Player
from tournaments.people.matching.entrants import entrants_at, side_of, sides
from tournaments.people.services.linking import link_entries

pytestmark = pytest.mark.django_db(transaction=True)

TOLD = "Events that may belong to this player"


def recorded_league(year: int) -> None:
    """Record an edition with folded names, like an import."""
    link_entries(league(year), "Anna")


def listed(client: Client, found: Person) -> list[str]:
    """Return the names of the listed events."""
    page = read(client, f"/people/{found.pk}/")
    return [name for name in ("League 2001", "League 2003", "League 2005") if f">{name}</a> ·" in page]


@pytest.fixture
def ann() -> Person:
    """Return Ann, who plays in three leagues and is linked to that of 2001."""
    for year in (2001, 2003, 2005):
        recorded_league(year)
    return person("Ann", players_named("Ann")[0])


def test_events_of_the_same_name_are_listed_and_not_counted(client: Client, ann: Person) -> None:
    page = read(client, f"/people/{ann.pk}/")
    assert "1 event linked, of 2001." in page
    assert "2 more events may belong to this player" in page
    assert TOLD in page
    assert 'href="/events/league-2003/competitors/1/"' in page
    assert listed(client, ann) == ["League 2003", "League 2005"]
    assert "Toernooien die van deze speler kunnen zijn" in read(client, f"/nl/people/{ann.pk}/")


def test_two_namesakes_in_an_event_count_as_a_single_event(client: Client, ann: Person) -> None:
    event = league(2007)
    Player.objects.filter(competitor__event=event, name="Dov").update(name="Ann")
    link_entries(event, "Anna")
    page = read(client, f"/people/{ann.pk}/")
    assert page.count(">League 2007</a>") == 2
    assert "3 more events may belong to this player" in page


def _link(ann: Person) -> None:
    link_person(ann, players_named("Ann")[1])


def _link_to_another(_ann: Person) -> None:
    person("Ann", players_named("Ann")[1])


def _refuse(ann: Person) -> None:
    (entry,) = entrants_at([(None, players_named("Ann")[1].pk)])
    one, other = sides(entry.side, side_of(ann))
    LinkRefusal.objects.create(one=one, other=other, by="Anna")


def _born_at_another_time(ann: Person) -> None:
    Player.objects.filter(pk=players_named("Ann")[1].pk).update(born="1950")
    Person.objects.filter(pk=ann.pk).update(born="1980")


def _draft(_ann: Person) -> None:
    Event.objects.filter(slug="league-2003").update(state="draft")


def _delete(_ann: Person) -> None:
    Event.objects.filter(slug="league-2003").delete()


@pytest.mark.parametrize(
    "change",
    [_link, _link_to_another, _refuse, _born_at_another_time, _draft, _delete],
    ids=lambda of: of.__name__,
)
def test_change_removes_an_event_from_the_cached_page(
    client: Client, ann: Person, change: Callable[[Person], None]
) -> None:
    assert listed(client, ann) == ["League 2003", "League 2005"]
    change(ann)
    assert listed(client, ann) == ["League 2005"]


def test_a_new_event_is_listed_at_once(client: Client) -> None:
    recorded_league(2001)
    ann = person("Ann", *players_named("Ann"))
    assert TOLD not in read(client, f"/people/{ann.pk}/")
    recorded_league(2005)
    assert listed(client, ann) == ["League 2005"]


def test_other_competitor_of_a_linked_event_is_another_person(client: Client) -> None:
    event = league(2001)
    Player.objects.filter(name="Dov").update(name="Ann")
    link_entries(event, "Anna")
    ann = person("Ann", players_named("Ann")[0])
    assert TOLD not in read(client, f"/people/{ann.pk}/")


def test_a_hidden_person_has_no_list(client: Client, ann: Person) -> None:
    Person.objects.filter(pk=ann.pk).update(hidden=True)
    assert "League" not in read(client, f"/people/{ann.pk}/")


def test_more_events_cost_the_same_queries(
    client: Client, ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cache, "STORM", 0)  # a page that was just rendered may be stale for a second

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            read(client, f"/people/{ann.pk}-ann/")
        return len(asked)

    queries()  # the first page of a process takes more
    recorded_league(1979)
    few = queries()
    for year in range(1980, 1990):
        recorded_league(year)
    assert queries() == few
    assert queries() == 1  # cached


def test_two_competitors_in_an_event_count_as_a_single_event_in_the_years(client: Client) -> None:
    """A player has two teams in a league."""
    for year in (2001, 2003):
        league(year)
    found = person("Ann", *players_named("Ann"), players_named("Dov")[0])
    page = read(client, f"/people/{found.pk}/")
    assert "2 events linked, 2001–2003." in page
    assert [row[:2] for row in rows(page, "years")] == [["2003", "1"], ["2001", "1"]]
