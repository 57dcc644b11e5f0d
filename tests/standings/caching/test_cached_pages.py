"""The public pages: responses, query counts and data that must not be sent."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from standings.caching.cached_pages import VALUES
from tests.cast import create_player_event, create_team_event
from tests.markup import markup_of
from tests.standings.serving.test_every_address import QUERIES
from tournaments.event.choices import Kind
from tournaments.models import (
    Change,
    Competitor,
    Event,
    Override,
    Pairing,
    Published,
    Round,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event() -> Event:
    return create_team_event()


@pytest.mark.parametrize("address", ["/events/two-teams/standings/", "/events/two-teams/statistics/"])
def test_every_sort_key_of_a_heading_is_valid(event: Event, client: Client, address: str) -> None:
    keys = re.findall('id="sort-([^"]*)"', client.get(address).content.decode())
    assert keys
    assert [key for key in keys if not re.fullmatch(VALUES["sort"], key)] == []


@pytest.mark.parametrize(
    "address", ["/series/cup/", "/events/two-teams.json", "/api/events/two-teams/standings/"]
)
def test_rename_is_on_all_pages_with_competitors(event: Event, client: Client, address: str) -> None:
    assert b"Reds" in client.get(address).content


@pytest.mark.parametrize(
    "address",
    [
        "/events/nothing/",
        "/events/two-teams/standings/after/0/",
        "/events/two-teams/standings/after/2/",
        "/events/two-teams/rounds/1/3/",
        "/events/two-teams/rounds/2/1/",
        "/events/two-teams/competitors/9/",
        "/events/two-teams/competitors/9/dsb/",
        "/events/two-teams/competitors/1/luck/",
        "/events/two-teams/competitors/1/dsb/?after=2",
        "/events/two-teams/compare/1/9/",
        "/events/two-teams/rounds/2/",
        "/events/two-teams/rounds/9/",
        f"/events/two-teams/rounds/{10**30}/{10**30}/",
        f"/events/two-teams/standings/after/{10**30}/",
    ],
)
def test_unknown_addresses_are_404(event: Event, client: Client, address: str) -> None:
    page = client.get(address)
    assert page.status_code == 404
    assert b"There is no page at this address" in page.content


def test_draft_is_not_listed(event: Event, client: Client) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    assert b"Cup of Teams" not in client.get("/").content


def test_removed_event_is_gone(event: Event, client: Client) -> None:
    Event.objects.update(state=Event.State.REMOVED)
    page = client.get("/events/two-teams/standings/")
    assert page.status_code == 410
    assert b"This event was removed" in page.content


def test_names_are_escaped(client: Client) -> None:
    event = create_player_event()
    Competitor.objects.filter(event=event).update(name="<script>\"Ann\" & 'Bea'</script>")
    for address in ("", "standings/", "competitors/1/", "rounds/1/1/"):
        page = client.get(f"/events/two-players/{address}").content.decode()
        assert "<script>&quot;" not in page
        assert '<script>"Ann"' not in page
        assert "&lt;script&gt;" in page
        assert "&amp;lt;" not in page


def test_event_without_rounds_announces_its_content(event: Event, client: Client) -> None:
    Round.objects.all().delete()
    assert b"once the first round is paired" in client.get("/events/two-teams/standings/").content
    assert b"once the first round is paired" in client.get("/events/two-teams/").content
    assert b"once the first round is paired" in client.get("/events/two-teams/competitors/1/").content


def test_list_of_events(event: Event, client: Client) -> None:
    Event.objects.update(start="2026-05-01")
    page = client.get("/").content.decode()
    assert '<time datetime="2026-05-01">2026</time>' in page
    assert "chess · 3 teams · Swiss, 2 rounds, 2 boards" in page


def test_empty_site(client: Client) -> None:
    assert b"No event is published yet" in client.get("/").content


def test_explanation_and_comparison(event: Event, client: Client) -> None:
    page = client.get("/events/two-teams/competitors/1/game-points/?after=1").content.decode()
    assert "Game points of" in page
    assert "after round 1" in page
    assert '<a href="/events/two-teams/competitors/2/">Blues</a>' in page
    compared = client.get("/events/two-teams/compare/3/1/").content.decode()
    assert 'Greens has more game points (pts): 2 to 1½."' in compared
    assert "They have not met." in compared


def test_cross_table_shows_both_sides_of_each_game(client: Client) -> None:
    create_player_event()
    page = client.get("/events/two-players/crosstable/").content.decode()
    assert 'aria-label="Round 1, white against Bea, won 2-0"><b>2</b></a>' in page
    assert 'aria-label="Round 1, black against Ann, lost 0-2"><b>0</b></a>' in page
    assert page.count('class="m self"') == 2


def test_changes_and_rulings_are_listed(event: Event, client: Client) -> None:
    about = {"event": event, "reason": "The score sheet was misread.", "by": "Arbiter"}
    Change.objects.create(round=1, table=1, was="1-1", now="1½-½", moved=[[1, 3, 2]], **about)
    team = Competitor.objects.get(event=event, number=2)
    place = Override.objects.create(number=1, kind="place", competitor=team, place=1, after=1, **about)
    Override.objects.create(number=2, kind="undo", undoes=place, **about)
    page = markup_of(client.get("/events/two-teams/changes/"))
    assert "<s>1-1</s> changed to <b>1½-½</b>. The score sheet was misread." in page
    assert ">Reds</a> 3 → 2" in page
    assert "<s>place of Blues: 1</s>, undone by 2" in page


def test_check_shows_matches_and_differences(event: Event, client: Client) -> None:
    known = [{"what": "order", "competitors": [1], "why": "The source lists the teams by name."}]
    Published.objects.create(
        event=event,
        order=[[1], [3], [2]],
        columns={"MP": {"1": "2", "2": "1"}},
        known=known,
        source="A bulletin",
    )
    page = markup_of(client.get("/events/two-teams/check/"))
    assert "order: published 1, computed 2. The source lists the teams by name." in page
    assert "MP: published 1, computed 0." in page
    assert "A bulletin" in page
    overview = markup_of(client.get("/events/two-teams/"))
    assert "differs from the published standings in 2 of 3 published places" in overview


def test_pending_pairing_shows_its_opponent_and_the_missing_result(event: Event, client: Client) -> None:
    second = Round.objects.get(event=event, number=2)
    teams = {team.number: team for team in Competitor.objects.filter(event=event)}
    Pairing.objects.create(round=second, table=1, first=teams[1], second=teams[3], kind=Kind.PENDING)
    page = client.get("/events/two-teams/standings/").content.decode()
    assert "After round 1. Round 2: 0 of 1 results in." in page
    assert 'aria-label="Round 2, against Greens, not yet played"' in page
    match = client.get("/events/two-teams/rounds/2/1/").content.decode()
    assert "Not yet played." in match


def test_choices_are_propagated_to_links(event: Event, client: Client) -> None:
    Override.objects.create(event=event, number=1, kind="criteria", criteria=["wins"], reason="R", by="A")
    address = "/events/two-teams/standings/?notation=2-0&as=computed&utm=x"
    page = client.get(address).content.decode()
    kept = "notation=2-0&amp;as=computed"
    assert f'href="/events/two-teams/standings/after/1/?{kept}" aria-current' in page
    assert f'href="?sort=name&amp;dir=asc&amp;{kept}"' in page
    assert "utm" not in page.split("<main")[1].split("</main>")[0]


def test_manual_changes_are_listed_and_can_be_left_out(event: Event, client: Client) -> None:
    about = {"event": event, "reason": "Ruled by the jury.", "by": "Arbiter"}
    team = Competitor.objects.get(event=event, number=2)
    Override.objects.create(number=1, kind="place", competitor=team, place=1, was="3", after=1, **about)
    undone = Override.objects.create(number=2, kind="pairing", round=1, table=1, **about)
    Override.objects.create(number=3, kind="undo", undoes=undone, **about)
    ruled = markup_of(client.get("/events/two-teams/standings/"))
    assert "The place of Blues was set to 1 (computed then: 3). Ruled by the jury. (Arbiter, <time" in ruled
    assert "The pairing of" not in ruled
    assert '<a href="?as=computed">Show the table as computed</a>' in ruled
    assert "1*" in ruled
    computed = markup_of(client.get("/events/two-teams/standings/?as=computed"))
    assert "As computed:" in computed
    assert '<a href="./">Back to the standings with manual changes</a>' in computed
    assert "The place of Blues was set to 1" in computed
    assert "1*" not in computed


def test_manual_changes_take_a_single_query(
    event: Event, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Override.objects.create(event=event, number=1, kind="criteria", criteria=["wins"], reason="R", by="A")
    with django_assert_num_queries(QUERIES["/events/two-teams/standings/"] + 1):
        page = markup_of(client.get("/events/two-teams/standings/"))
    assert "The criteria were changed to Number of wins. R (A," in page


class TestDuringARound:
    """Everything with standings states what they include, above the standings."""

    SENTENCE = "uring round 2: 0 of 1 results in"

    @pytest.fixture
    def running(self, event: Event) -> Event:
        """Return the event with Reds against Greens in round 2 not played yet."""
        second = Round.objects.get(event=event, number=2)
        teams = {team.number: team for team in Competitor.objects.filter(event=event)}
        Pairing.objects.create(round=second, table=1, first=teams[1], second=teams[3], kind=Kind.PENDING)
        return event

    @pytest.mark.parametrize(
        ("page", "shows"),
        [
            ("events/two-teams/?running=shown", "<table>"),
            ("events/two-teams/standings/?running=shown", '<table id="standings"'),
            ("events/two-teams/standings/after/2/", '<table id="standings"'),
            ("events/two-teams/crosstable/?running=shown", '<table role="table">'),
            ("events/two-teams/competitors/2/?running=shown", "<table"),
            ("events/two-teams/competitors/2/dsb/", "<table>"),
            ("events/two-teams/compare/1/2/", "<table>"),
            ("events/two-teams/statistics/", "<table"),
        ],
    )
    def test_pages(self, running: Event, client: Client, page: str, shows: str) -> None:
        head, body = client.get(f"/{page}").content.decode().split("<body>")
        assert self.SENTENCE in body[: body.index(shows)]
        assert "after round 2" not in head
        dutch = client.get(f"/nl/{page}").content.decode().split("<body>")[1]
        assert "ijdens ronde 2: 0 van 1 uitslagen binnen" in dutch[: dutch.index(shows)]

    def test_series_has_the_places_of_the_event(self, running: Event, client: Client) -> None:
        body = client.get("/series/cup/").content.decode().split("<body>")[1]
        assert "after round 1" in body[: body.index('<ol class="first"')]

    @pytest.mark.parametrize(
        ("page", "shows"),
        [("", "<table>"), ("standings/", '<table id="standings"'), ("crosstable/", '<table role="table">')],
    )
    def test_default_tables(self, running: Event, client: Client, page: str, shows: str) -> None:
        body = client.get(f"/events/two-teams/{page}").content.decode().split("<body>")[1]
        assert "After round 1. Round 2: 0 of 1 results in." in body[: body.index(shows)]
        dutch = client.get(f"/nl/events/two-teams/{page}").content.decode().split("<body>")[1]
        assert "Na ronde 1. Ronde 2: 0 van 1 uitslagen binnen." in dutch[: dutch.index(shows)]

    @pytest.mark.parametrize(
        "address", ["standings/", "standings/after/2/", "competitors/2/", "competitors/2/dsb/"]
    )
    def test_data(self, running: Event, client: Client, address: str) -> None:
        assert client.get(f"/api/events/two-teams/{address}").json()["rests_on"] == f"d{self.SENTENCE}"

    def test_a_round_that_is_complete(self, running: Event, client: Client) -> None:
        page = client.get("/events/two-teams/standings/after/1/").content.decode()
        assert '<p class="rests">After round 1.</p>' in page
        assert "<title>Standings after round 1 ·" in page


class TestMarks:
    """Corrections and rulings are marked with their reason, author and date."""

    ABOUT = {"reason": "The score sheet was misread.", "by": "A. Arbiter"}

    @pytest.fixture
    def ruled(self, event: Event) -> Event:
        """Return the event with a corrected match, a changed pairing, and Blues put on place 1."""
        blues = Competitor.objects.get(event=event, number=2)
        Change.objects.create(event=event, round=1, table=1, was="1-1", now="1½-½", **self.ABOUT)
        about = {"event": event, "by": "C. Arbiter"}
        Override.objects.create(
            number=1, kind="pairing", round=1, table=1, reason="Both were asked for.", **about
        )
        Override.objects.create(
            number=2,
            kind="place",
            competitor=blues,
            place=1,
            after=1,
            was="3",
            reason="By the jury.",
            **about,
        )
        return event

    CORRECTION = (
        "The result of round 1, table 1 was corrected from 1-1 to 1½-½</a>. The score sheet was misread."
    )
    PAIRING = "The pairing of round 1, table 1 was changed</a>. Both were asked for. (C. Arbiter, <time"

    def test_on_the_match(self, ruled: Event, client: Client) -> None:
        page = markup_of(client.get("/events/two-teams/rounds/1/1/"))
        assert ">1½ : ½†*</th>" in page
        assert f'† <a href="/events/two-teams/changes/">{self.CORRECTION} (A. Arbiter, <time' in page
        assert self.PAIRING in page

    def test_on_the_round(self, ruled: Event, client: Client) -> None:
        page = markup_of(client.get("/events/two-teams/rounds/1/"))
        assert ">½</b><i>†*</i></a>" in page
        assert self.CORRECTION in page
        assert self.PAIRING in page
        assert page.count("†") == 2

    def test_on_the_card_of_the_competitor(self, ruled: Event, client: Client) -> None:
        page = markup_of(client.get("/events/two-teams/competitors/2/"))
        assert "<b>place 1*</b> (computed: 3)" in page
        place = "The place of Blues was set to 1 (computed then: 3)</a>. By the jury. (C. Arbiter, <time"
        for remark in (self.CORRECTION, self.PAIRING, place):
            assert remark in page
        assert ">½-1½†*</a>" in page
        assert "manually changed, corrected" in page

    def test_on_the_card_of_a_competitor_moved_by_a_ruling(self, ruled: Event, client: Client) -> None:
        page = markup_of(client.get("/events/two-teams/competitors/3/"))
        assert "<b>place 2</b> (computed: 1)" in page
        assert "†" not in page

    @pytest.mark.parametrize("page", ["", "standings/", "crosstable/", "competitors/2/dsb/"])
    def test_on_everything_that_shows_the_place(self, ruled: Event, client: Client, page: str) -> None:
        html = markup_of(client.get(f"/events/two-teams/{page}"))
        assert "1*<" in html
        assert "The place of Blues was set to 1 (computed then: 3). By the jury. (C. Arbiter, <time" in html

    def test_not_after_it_was_undone(self, ruled: Event, client: Client) -> None:
        for number, undone in enumerate(Override.objects.filter(event=ruled), start=3):
            Override.objects.create(event=ruled, number=number, kind="undo", undoes=undone, **self.ABOUT)
        page = client.get("/events/two-teams/competitors/2/").content.decode()
        assert "The place of" not in page
        assert "<b>place 3</b></span>" in page
        assert ">½-1½†</a>" in page


class TestColoursOfARound:
    """Results are coloured from each side, and also marked by a figure or sign."""

    def results(self, client: Client, slug: str, number: int = 1) -> list[list[tuple[str, str]]]:
        page = markup_of(client.get(f"/events/{slug}/rounds/{number}/"))
        cells = re.findall(r'<td role="cell" class="result">(.*?)</td>', page)
        return [re.findall(r'<b class="(.*?)">(.*?)</b>', cell) for cell in cells]

    def test_black_wins(self, client: Client) -> None:
        event = create_player_event()
        Pairing.objects.filter(round__event=event).update(first_score=0, second_score=4)
        assert self.results(client, "two-players") == [[("l", "0"), ("w", "2")]]

    def test_a_draw_a_forfeit_and_an_unplayed_game(self, client: Client) -> None:
        event = create_player_event()
        pairings = Pairing.objects.filter(round__event=event)
        pairings.update(first_score=2, second_score=2)
        assert self.results(client, "two-players") == [[("d", "1"), ("d", "1")]]
        event.save()
        pairings.update(kind=Kind.FORFEIT, first_score=0, second_score=4)
        assert self.results(client, "two-players") == [[("x", "-"), ("x", "+")]]
        pairings.update(kind=Kind.UNKNOWN, first_score=None, second_score=None)
        assert self.results(client, "two-players") == [[("n", "?")]]

    def test_a_bye(self, event: Event, client: Client) -> None:
        assert self.results(client, "two-teams") == [[("w", "1½"), ("l", "½")], [("x", "BYE")]]

    def test_an_annulled_game(self, client: Client) -> None:
        """Bea left a round robin of three before playing 50 % of it."""
        event = create_player_event()
        bea, cor = (
            Competitor.objects.get(number=2),
            Competitor.objects.create(event=event, number=3, name="Cor"),
        )
        Event.objects.filter(pk=event.pk).update(planned_rounds=3)
        for number in (2, 3):
            later = Round.objects.create(event=event, number=number, state=Round.State.CLOSED)
            Pairing.objects.create(round=later, table=1, first=cor, kind=Kind.BYE, first_score=0)
        Competitor.objects.create(event=event, number=4, name="Dan")
        Competitor.objects.filter(pk=bea.pk).update(withdrawn_after=1)
        assert self.results(client, "two-players") == [[("n annulled", "2"), ("n annulled", "0")]]
