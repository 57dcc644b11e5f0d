"""The list of events: what a search finds, what the filters offer, and what it costs."""

from collections.abc import Mapping

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.listing import Filter, Listing
from standings.search import fold, words_of
from tests.cast import create_player_event, create_team_event
from tournaments.models import Competitor, Event, Player


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Erdős", " erdos"),
        ("ŁÓDŹ", " lodz"),
        ("Sønderborg", " sonderborg"),
        ("Weißenburg", " weissenburg"),
        ("O'Kelly de Galway", " okelly de galway"),
        ("Den-Haag (NED)", " den haag ned"),
        ("Þórir Æsir, İstanbul", " thorir aesir istanbul"),
        ("Алексей Чижов", " алексеи чижов"),
        ("two\nlines", " two\n lines"),
    ],
)
def test_case_and_diacritics_make_no_difference(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert fold(folded) == folded


def test_only_so_many_words() -> None:
    assert words_of("  a\nb ") == [" a", " b"]
    assert len(words_of("a " * 50)) == 8


def slugs(**asked: str) -> list[str]:
    return [line.event.slug for line in Listing(asked).lines]


def hints(**asked: str) -> list[str]:
    return [f"{hint.what} {hint.name} {hint.address}" for line in Listing(asked).lines for hint in line.hints]


@pytest.mark.django_db
class TestFound:
    @pytest.fixture(autouse=True)
    def events(self) -> None:
        create_team_event("live")
        for slug, start in (("old", "1948"), ("new", "2022-05-01"), ("undated", "")):
            Event.objects.filter(pk=create_player_event(slug).pk).update(start=start)
        Event.objects.filter(pk=create_player_event("draft").pk).update(state=Event.State.DRAFT)
        Event.objects.filter(slug="old").update(place="Łódź", country="POL", name="Mistrzostwa")

    def test_all_live_first_then_recent(self) -> None:
        assert slugs() == ["live", "new", "old", "undated"]
        assert Listing({}).lines[0].about == "chess · 3 teams · Swiss, 2 rounds, 2 boards"

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ("lodz", ["old"]),
            ("LÓDZ 1948", ["old"]),
            ("mistrz", ["old"]),
            ("rzostwa", []),
            ("match of", ["new", "undated"]),
            ("cup", ["live"]),
            ("fra", ["new", "old", "undated"]),
            ("bea 2022", ["new"]),
            ("ann bea", []),
            ("...", ["live", "new", "old", "undated"]),
        ],
    )
    def test_every_word_begins_a_word_of_the_event_or_of_one_name(self, asked: str, found: list[str]) -> None:
        assert slugs(q=asked) == found

    def test_who_was_found_is_linked(self) -> None:
        assert hints(q="bea 2022") == ["player Bea /events/new/competitors/2/"]
        assert hints(q="blues") == [
            "team Blues /events/live/competitors/2/",
            "player Blues 1 /events/live/competitors/2/",
            "player Blues 2 /events/live/competitors/2/",
        ]
        assert hints(q="match") == []

    def test_more_than_are_named_are_counted(self) -> None:
        event = Event.objects.get(slug="old")
        Competitor.objects.bulk_create(
            Competitor(event=event, number=number, name=f"Zoë {number}") for number in range(3, 9)
        )
        line = Listing({"q": "zoe"}).lines[0]
        assert [hint.name for hint in line.hints] == ["Zoë 3", "Zoë 4", "Zoë 5"]
        assert line.more == 3

    @pytest.mark.parametrize(
        ("asked", "found"),
        [
            ({"discipline": "chess"}, ["live"]),
            ({"schedule": "round-robin", "year": "1948"}, ["old"]),
            ({"entrants": "players", "q": "ann"}, ["new", "old", "undated"]),
            ({"country": "POL"}, ["old"]),
            ({"series": "cup"}, ["live"]),
            ({"series": "cup", "year": "1948"}, []),
            ({"year": "1900", "country": "", "discipline": "<b>"}, ["live", "new", "old", "undated"]),
        ],
    )
    def test_filters_count_where_their_value_exists(self, asked: Mapping[str, str], found: list[str]) -> None:
        assert slugs(**asked) == found

    def offered(self, listing: Listing) -> dict[str, list[str]]:
        def told(each: Filter) -> list[str]:
            return [f"{'*' * option.chosen}{option.name} {option.count}" for option in each.options]

        return {each.key: told(each) for each in listing.filters}

    def test_filters_offer_what_exists_with_counts(self) -> None:
        assert self.offered(Listing({})) == {
            "discipline": ["chess 1", "international draughts 3"],
            "schedule": ["Swiss 1", "round robin 3"],
            "entrants": ["players 3", "teams 1"],
            "year": ["2022 1", "1948 1"],
        }

    def test_counts_are_those_with_the_other_filters(self) -> None:
        assert self.offered(Listing({"year": "1948", "series": "cup"})) == {
            "year": ["*1948 0"],
            "series": ["*Cup 0"],
        }
        assert self.offered(Listing({"year": "1948"})) == {"year": ["2022 1", "*1948 1"]}


@pytest.mark.django_db(transaction=True)
class TestKept:
    """What is not committed is never kept, so these tests commit."""

    def test_names_are_read_once_and_again_where_an_event_changed(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        create_team_event()
        create_player_event()
        with django_assert_num_queries(3):
            assert slugs(q="ann") == ["two-players"]
        with django_assert_num_queries(1):
            assert slugs(q="bea") == ["two-players"]
        Player.objects.filter(name="Reds 1").update(name="Anninka")
        with django_assert_num_queries(3) as captured:
            assert slugs(q="ann") == ["two-teams", "two-players"]
        assert "IN (" in captured[1]["sql"]
        Event.objects.filter(slug="two-players").delete()
        with django_assert_num_queries(1):
            assert slugs(q="ann") == ["two-teams"]

    def test_pages(self, client: Client) -> None:
        create_team_event()
        create_player_event()
        page = client.get("/?q=BÉA&entrants=players").content.decode()
        assert "1 event for <b>BÉA</b>" in page
        assert 'player: <a href="/events/two-players/competitors/2/">Bea</a>' in page
        assert '<option value="players" selected>players (1)</option>' in page
        assert '<a href="?q=B%C3%89A">without filters</a>' in page
        assert '<link rel="canonical" href="http://testserver/">' in page
        assert 'name="q" value="BÉA"' in page
        nothing = client.get("/?q=<i>nobody</i>").content.decode()
        assert "No event has all of this" in nothing
        assert "<i>" not in nothing

    def test_series_chosen_leads_to_its_editions(self, client: Client) -> None:
        create_team_event()
        assert (
            '<a href="/series/cup/">Cup, edition by edition</a>'
            in client.get("/?series=cup").content.decode()
        )
        assert b"edition by edition" not in client.get("/").content

    def test_long_search_is_cut(self, client: Client) -> None:
        create_team_event()
        page = client.get("/", {"q": "x" * 3000}).content.decode()
        assert "x" * 100 in page
        assert "x" * 101 not in page
