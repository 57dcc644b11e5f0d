"""The list of events: search, filters and query counts."""

import re
from collections.abc import Mapping
from unittest.mock import patch

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from standings.catalogue.hits import MOST_HITS
from standings.catalogue.listing import PER_PAGE, Listing, suggestions
from standings.catalogue.listpage import Filter
from tests.cast import create_player_event, create_team_event
from tournaments.event.choices import Kind
from tournaments.models import Competitor, Event, Pairing, Player, Series
from tournaments.search.index import refresh


def slugs(**asked: str) -> list[str]:
    return [
        found for line in Listing(asked).events for found in re.findall(r"/events/([^/]+)/standings/", line)
    ]


def hits(**asked: str) -> list[str]:
    found = Listing(asked).hits
    lines = found.live + found.teams + found.players if found else ""
    named = (
        r'<a class="name" href="([^"]+)"[^>]*>(?:<img [^>]*>)?([^<]+)</a> <span class="about">([^<]+)</span>'
    )
    return [f"{name} {address} ({about})" for address, name, about in re.findall(named, lines)]


def names(**asked: str) -> list[str]:
    return [hit.partition(" /")[0] for hit in hits(**asked)]


@pytest.mark.django_db
class TestFound:
    @pytest.fixture(autouse=True)
    def events(self) -> None:
        create_team_event("live")
        for slug, start in (("old", "1948"), ("new", "2022-05-01"), ("undated", "")):
            Event.objects.filter(pk=create_player_event(slug).pk).update(start=start)
        Event.objects.filter(pk=create_player_event("draft").pk).update(state=Event.State.DRAFT)
        Event.objects.filter(slug="old").update(place="Łódź", country="POL", name="Mistrzostwa")

    def test_live_event_states_its_round_in_a_search_too(self) -> None:
        assert '<span class="state">after round 1</span>' in Listing({}).live[0]
        assert Listing({"q": "cup"}).live == Listing({}).live

    def test_heading_and_counts_of_a_search(self, client: Client) -> None:
        page = client.get("/", {"q": "teams"}).content.decode()
        assert "<title>teams · Search · Crosstable</title>" in page
        assert "<h1>Search</h1>" in page
        assert "1 event for <b>teams</b> · 1 in progress, above" in " ".join(page.split())

    def test_all_live_first_then_recent(self) -> None:
        assert slugs() == ["live", "new", "old", "undated"]
        assert "</span> · chess · 3 teams · Swiss, 2 rounds, 2 boards</span>" in Listing({}).events[0]

    @pytest.mark.parametrize(
        ("query", "found"),
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
    def test_every_term_is_a_prefix_in_the_event_or_in_a_single_name(
        self, query: str, found: list[str]
    ) -> None:
        assert slugs(q=query) == found

    def test_matching_name_has_a_row_with_place_and_event(self) -> None:
        assert hits(q="bea 2022") == ["Bea /events/new/competitors/2/ (place 2 of 2 · Match of Two)"]
        assert hits(q="blues") == [
            "Blues /events/live/competitors/2/ (place 3 of 3 · Cup of Teams)",
            "Blues 1 /events/live/competitors/2/ (Blues · place 3 of 3 · Cup of Teams)",
            "Blues 2 /events/live/competitors/2/ (Blues · place 3 of 3 · Cup of Teams)",
        ]
        assert hits(q="match") == []

    def test_more_than_have_lines_are_counted_and_named_with_their_events(self) -> None:
        event = Event.objects.get(slug="old")
        Competitor.objects.bulk_create(
            Competitor(event=event, number=number, name=f"Zoë {number}")
            for number in range(3, 3 + MOST_HITS + 4)
        )
        assert names(q="zoe") == [f"Zoë {number}" for number in range(3, 3 + MOST_HITS)]
        found = Listing({"q": "zoe"})
        assert found.hits
        assert found.hits.more == 4
        assert ">Zoë 3</a> · player: " in found.events[0]
        assert f" · {MOST_HITS + 1} more</span>" in found.events[0]

    def test_live_entries_come_first_then_exact_names_before_beginnings(self) -> None:
        event = Event.objects.get(slug="old")
        Competitor.objects.create(event=event, number=3, name="Annabel")
        Player.objects.filter(name="Reds 1").update(name="Anna")
        Competitor.objects.filter(event__slug="live", number=1).update(name="Annas")
        assert names(q="anna", year="1948") == ["Annabel"]
        Competitor.objects.create(event=event, number=4, name="Anna")
        assert names(q="anna") == ["Anna", "Annas", "Anna", "Annabel"]

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("netherlands", ["Reds", "Ann", "Ann", "Ann"]),
            ("Nederland", ["Reds", "Ann", "Ann", "Ann"]),
            ("nederl reds", ["Reds"]),
            ("NED", ["Reds", "Ann", "Ann", "Ann"]),
            ("nl", ["Reds", "Ann", "Ann", "Ann"]),
            ("frankrijk 1948", ["Bea"]),
            ("verenigde staten", ["Blues"]),
            ("verenigde", ["Blues", "Greens"]),
            ("states", ["Blues"]),
            ("usa2", ["Blues"]),
            ("polen ann", ["Ann"]),
            ("Holland", ["Reds", "Ann", "Ann", "Ann"]),
            ("Нидерланды", ["Reds", "Ann", "Ann", "Ann"]),
            ("reds pays-bas", ["Reds"]),
            ("pays", []),  # in other languages than those of the site, the name must be complete
            ("bas", []),
            ("holl", []),
        ],
    )
    def test_federations_by_their_names_in_every_language(self, query: str, found: list[str]) -> None:
        for number, code in enumerate(("NED", "USA2", "UAE"), start=1):
            Competitor.objects.filter(event__slug="live", number=number).update(code=code)
        assert names(q=query) == found

    def test_country_in_any_language_opens_its_team_or_events(self) -> None:
        Competitor.objects.filter(event__slug="live", number=1).update(code="NED")
        assert Listing({"q": "holland"}).best == "/events/live/competitors/1/"
        assert Listing({"q": "polska"}).best == "/events/old/"

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("schaken", ["live"]),
            ("chess cup", ["live"]),
            ("dammen", ["new", "old", "undated"]),
            ("international draughts 1948", ["old"]),
            ("Olympiade", ["live"]),
            ("schaakolympiade", ["live"]),
            ("olympiade blues", ["live"]),
            ("international", []),
            ("olymp", []),
        ],
    )
    def test_kinds_by_their_names_in_every_language(self, query: str, found: list[str]) -> None:
        Event.objects.filter(slug="live").update(system="olympiad-2010")
        assert slugs(q=query) == found

    def test_club_finds_its_players(self) -> None:
        Competitor.objects.filter(event__slug="new", name="Bea").update(club="DC Tromp")
        Player.objects.filter(name="Blues 1").update(club="Tromp")
        bea = "Bea /events/new/competitors/2/ (DC Tromp · place 2 of 2 · Match of Two)"
        assert hits(q="dc tromp")[-1] == hits(q="bea tromp")[0] == bea
        assert names(q="tromp") == ["Blues 1", "Bea"]
        assert Listing({"q": "tromp"}).best == ""
        assert Listing({"q": "tromp bea"}).best == "/events/new/competitors/2/"

    @pytest.mark.parametrize(
        ("query", "row", "kind"),
        [
            ("tromp", "DC Tromp /events/new/standings/?club=DC+Tromp (25 players · Match of Two)", "club"),
            (
                "holland",
                "Netherlands /events/new/standings/?federation=NED (26 players · Match of Two)",
                "federation",
            ),
        ],
    )
    def test_many_players_of_a_club_or_federation_are_one_row(self, query: str, row: str, kind: str) -> None:
        new = Event.objects.get(slug="new")
        Event.objects.filter(pk=new.pk).update(state=Event.State.LIVE)
        Competitor.objects.filter(event__slug="live", number=1).update(code="NED", name="Tromp")
        Competitor.objects.bulk_create(
            Competitor(event=new, number=number, name=f"Zoë {number}", club="DC Tromp", flag="NED")
            for number in range(3, 28)
        )
        found = Listing({"q": query})
        assert found.hits
        assert hits(q=query)[:2] == ["Tromp /events/live/competitors/1/ (place 2 of 3 · Cup of Teams)", row]
        assert not found.hits.more
        assert kind in [each["kind"] for each in suggestions(found)]

    def test_club_in_two_events_is_no_single_match_and_all_its_members_count(self) -> None:
        for slug in ("new", "old"):
            event = Event.objects.get(slug=slug)
            Competitor.objects.bulk_create(
                Competitor(event=event, number=number, name=f"Zoë {number}", club="DC Tromp")
                for number in range(3, 13)
            )
        with patch("standings.catalogue.search.MOST_COMPARED", 16):
            found = Listing({"q": "tromp"})
            assert found.hits
            assert str(found.hits.players).count("10 players") == 2
        assert found.best == ""

    def test_term_that_looks_like_a_code_is_no_country(self) -> None:
        Competitor.objects.filter(event__slug="new", number=1).update(name="Per Can", code="")
        assert names(q="peru") == names(q="canada") == []
        assert names(q="can") == ["Per Can"]

    @pytest.mark.parametrize(
        ("query", "address"),
        [
            ("blues", "/events/live/competitors/2/"),  # the team with that full name
            ("re", ""),
            ("greens 1", "/events/live/competitors/3/"),
            ("ann", "/events/new/competitors/1/"),  # of three events, the latest
            ("mistrz", "/events/old/"),
            ("match", ""),
            ("nobody", ""),
            ("polen", "/events/old/"),
            ("ann 1948", "/events/old/competitors/1/"),
        ],
    )
    def test_enter_opens_the_only_match(self, query: str, address: str) -> None:
        assert Listing({"q": query}).best == address

    def test_terms_match_the_same_name(self) -> None:
        event = Event.objects.get(slug="old")
        players = ("Jan de Vries", "Jan Smit", "Piet de Boer")
        Competitor.objects.bulk_create(
            Competitor(event=event, number=number, name=name) for number, name in enumerate(players, start=3)
        )
        assert slugs(q="smit jan") == ["old"]
        assert slugs(q="piet vries") == []
        assert names(q="de jan 1948") == ["Jan de Vries"]
        assert names(q="d boe") == ["Piet de Boer"]

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
    def test_filters_count_existing_values(self, asked: Mapping[str, str], found: list[str]) -> None:
        assert slugs(**asked) == found

    def offered(self, listing: Listing) -> dict[str, list[str]]:
        def told(each: Filter) -> list[str]:
            return [f"{'*' * option.chosen}{option.name} {option.count}" for option in each.options]

        return {each.key: told(each) for each in listing.filters}

    def test_filters_offer_existing_values_with_counts(self) -> None:
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
    """These tests commit, as data is never cached inside a transaction."""

    def test_queries_are_few_even_after_a_name_changed(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        create_team_event()
        create_player_event()
        assert slugs(q="ann") == ["two-players"]
        with django_assert_num_queries(
            9
        ):  # site, outdated, terms, names, links, events, outcomes, competitors
            assert slugs(q="bea") == ["two-players"]
        changed = Player.objects.get(name="Reds 1").competitor.event_id
        Player.objects.filter(name="Reds 1").update(name="Anninka")
        with CaptureQueriesContext(connection) as captured:
            assert slugs(q="ann") == ["two-teams", "two-players"]
        read = [query["sql"] for query in captured if " tournaments_player" in query["sql"].replace('"', " ")]
        assert all(f"IN ({changed})" in query for query in read if "event_id" in query)
        Event.objects.filter(slug="two-players").delete()
        with django_assert_num_queries(12):  # all are read again
            assert slugs(q="ann") == ["two-teams"]

    def test_outcomes_take_a_single_query_for_any_number_of_events(
        self, client: Client, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        create_team_event()
        for number in range(4):
            create_player_event(f"match-{number}")
        client.get("/")
        Event.objects.filter(slug="match-0").update(name="Other")
        client.get("/")  # one of five is recomputed
        with django_assert_num_queries(4):
            page = "".join(Listing({}).events)
        assert page.count('winner: <b><a href="/events/match-') == 4
        assert '<span class="state">after round 1</span>' in page
        assert 'leader: <b><a href="/events/two-teams/competitors/' in page

    def test_round_in_progress_is_shown(self) -> None:
        event = create_player_event()
        Event.objects.update(state=Event.State.LIVE)
        Pairing.objects.update(kind=Kind.PENDING, first_score=None, second_score=None)
        (line,) = Listing({}).events
        assert '<span class="state">round 1: 0 of 1 in</span>' in line
        assert "leader" not in line
        Pairing.objects.filter(round__event=event).update(kind=Kind.PLAYED, first_score=2, second_score=2)
        (line,) = Listing({}).events
        assert "leaders: <b>" in line

    def test_changed_event_is_read_again(self) -> None:
        create_team_event()
        assert slugs(q="cup") == ["two-teams"]
        create_player_event()
        assert slugs(q="bowl") == []
        assert slugs(discipline="chess") == ["two-teams"]
        Event.objects.filter(slug="two-teams").update(name="Bowl of Teams", discipline="frisian")
        assert slugs(q="bowl") == slugs(discipline="frisian") == ["two-teams"]
        Series.objects.update(name="Dish")
        assert slugs(q="dish") == ["two-teams"]
        Event.objects.update(state=Event.State.DRAFT)
        assert slugs(q="dish") == []

    def test_pages_have_the_same_queries_and_propagate_parameters(
        self, client: Client, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        of_players = create_player_event("match-0")
        for number in range(1, 2 * PER_PAGE + 3):
            of_players.pk, of_players.slug = None, f"match-{number}"
            of_players.start, of_players.name = str(1900 + number), f"Match {number}"
            of_players.save(force_insert=True)
        create_team_event("last-played-first-listed")
        refresh()
        with django_assert_num_queries(7):
            first = client.get("/?entrants=players&q=match").content.decode()
        with django_assert_num_queries(6):
            last = client.get("/?entrants=players&q=match&page=3").content.decode()
        assert f"1–{PER_PAGE} of {2 * PER_PAGE + 3}" in first
        assert 'rel="prev"' not in first
        assert first.count('rel="next" href="/?q=match&amp;entrants=players&amp;page=2"') == 2
        assert first.count("<li>") == PER_PAGE
        assert f"{2 * PER_PAGE + 1}–{2 * PER_PAGE + 3} of {2 * PER_PAGE + 3}" in last
        assert last.count('rel="prev" href="/?q=match&amp;entrants=players&amp;page=2"') == 2
        assert 'rel="next"' not in last
        assert '<link rel="canonical" href="http://testserver/">' in last
        assert client.get("/?page=2").content.decode().count('rel="prev" href="/"') == 2
        assert slugs()[0] == "last-played-first-listed"
        seen = [slug for page in "123" for slug in slugs(page=page)]
        assert len(seen) == len(set(seen)) == 2 * PER_PAGE + 4

    @pytest.mark.parametrize("query", ["0", "-1", "x", "99999", "1.5", "²"])
    def test_invalid_page_is_the_first(self, client: Client, query: str) -> None:
        create_team_event()
        first = client.get("/")
        assert client.get("/", {"page": query}).content == first.content

    def test_beyond_the_last_page_is_the_last(self, client: Client) -> None:
        create_team_event()
        assert b"Cup of Teams" in client.get("/?page=9999").content

    def test_pages(self, client: Client) -> None:
        create_team_event()
        create_player_event()
        page = client.get("/?q=BÉA&entrants=players").content.decode()
        assert "1 event for <b>BÉA</b>" in page
        assert '<a class="name" href="/events/two-players/competitors/2/" autofocus>' in page
        assert '<option value="players" selected>players (1)</option>' in page
        assert '<a href="?q=B%C3%89A">without filters</a>' in page
        assert '<link rel="canonical" href="http://testserver/">' in page
        assert 'name="q" value="BÉA"' in page
        nothing = client.get("/?q=<i>nobody</i>").content.decode()
        assert "No event matches" in nothing
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
        assert f'name="q" value="{"x" * 100}"' in page
        assert f"for <b>{'x' * 100}</b>" in page
