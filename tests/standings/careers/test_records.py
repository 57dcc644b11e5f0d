"""The records of the site: their order, shared places, and whose year of birth counts."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.careers import records
from standings.careers.records import longest_runs, youngest_winners
from tests.demo import DEN_HAAG, WORLD_1948, record
from tests.linked import league, person, players_named, world_champions
from tests.standings.pages.reading import read, rows
from tournaments.models import Event, Person, Series

pytestmark = pytest.mark.django_db(transaction=True)


def runs() -> list[tuple[str, int]]:
    return [(each.who.name, each.figure) for each in longest_runs()]


@pytest.fixture
def editions() -> Series:
    """Four editions: Dov played all of them, Ann all but the third, Fay only the last."""
    for year in (2001, 2003, 2005, 2007):
        league(year)
    series = Series.objects.create(slug="league", name="League")
    Event.objects.update(series=series)
    ann = players_named("Ann")
    person("Ann", *ann[:2], ann[3])
    person("Dov", *players_named("Dov"))
    person("Fay", players_named("Fay")[3])
    return series


def test_missed_edition_ends_a_run(editions: Series, client: Client) -> None:
    assert runs() == [("Dov", 4), ("Ann", 2)]
    assert rows(read(client, "/people/records/"), "runs") == [
        ["1", "Dov", "4", "League 2001–2007"],
        ["2", "Ann", "2", "League 2001–2003"],
    ]


def test_editions_on_the_same_date_count_once(editions: Series) -> None:
    Event.objects.filter(slug="league-2003").update(start="2001")
    assert runs() == [("Dov", 3)]


def test_series_with_an_undated_edition_has_no_runs(editions: Series) -> None:
    Event.objects.filter(slug="league-2007").update(start="")
    assert runs() == []


def test_draft_is_no_edition(editions: Series) -> None:
    Event.objects.filter(slug="league-2005").update(state="draft")
    assert runs() == [("Ann", 3), ("Dov", 3)]


def test_players_who_share_the_last_place_are_all_left_out(
    editions: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    person("Bea", *players_named("Bea")[:2])
    monkeypatch.setattr(records, "MOST", 3)
    assert runs() == [("Dov", 4), ("Ann", 2), ("Bea", 2)]
    monkeypatch.setattr(records, "MOST", 2)
    assert runs() == [("Dov", 4)]


def test_medals_and_ages_of_winners(client: Client) -> None:
    record(DEN_HAAG, WORLD_1948)
    roozenburg, ghestem = world_champions()
    page = read(client, "/people/records/")
    assert rows(page, "medals") == [
        ["1", "Pierre Ghestem", "2", "1–0–1"],
        ["1", "Piet Roozenburg", "2", "2–0–0"],
    ]
    # Both won in 1947; Roozenburg was born in 1924, Ghestem in 1922.
    assert rows(page, "young") == [
        ["1", "Piet Roozenburg", "23", "ZHDB Vierkamp Den Haag 1947"],
        ["2", "Pierre Ghestem", "25", "ZHDB Vierkamp Den Haag 1947"],
    ]
    assert "1924" not in page
    Person.objects.filter(pk=ghestem.pk).update(born="")
    assert [each.who.name for each in youngest_winners()] == ["Piet Roozenburg"]
    Person.objects.filter(pk=roozenburg.pk).update(hidden=True)
    assert youngest_winners() == []
    assert "Roozenburg" not in read(client, "/people/records/")


def test_more_editions_need_no_more_queries(
    editions: Series, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for year in (2009, 2011):
        client.get("/people/")  # counts the medals
        # The stamp, three for outdated tallies, medals, winners, editions, participants.
        with django_assert_num_queries(8):
            client.get("/people/records/")
        with django_assert_num_queries(1):
            client.get("/people/records/")
        league(year)
        Event.objects.update(series=editions)


def test_site_without_records(client: Client) -> None:
    assert "No records to list." in read(client, "/people/records/")


def test_page_explains_that_a_record_of_too_many_players_is_not_listed(
    editions: Series, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MOST", 1)
    person("Bea", *players_named("Bea"))
    assert runs() == []
    assert "more than ten players share its best figure" in read(client, "/people/records/")
