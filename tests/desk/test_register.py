"""The register: edit, add and remove rows in a form; conflicts, findings at cells, and numbers."""

from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.cast import browser_of, match_file, stored_event
from tests.markup import markup_of
from tournaments.models import Competitor, Event, Player, Round
from tournaments.models.versioned import past_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(anna: User) -> Client:
    return browser_of(anna)


def address(event: Event, query: str = "") -> str:
    return f"{reverse('admin:event-register', args=[event.pk])}{query}"


def ann(event: Event, number: int = 1) -> Competitor:
    return event.competitors.get(number=number)


def typed(page: Any, **cells: str) -> dict[str, str]:
    """Return the fields of the form without new rows. `cells`: texts such as `r1_club` (for number 1)."""
    posted: dict[str, str] = {}
    for row in page.context["sheet"]:
        posted |= {f"{row.key}-{name}": text for name, text in row.texts.items()}
        posted |= {f"{row.key}-seen": str(row.seen), f"{row.key}-shown": row.shown}
    keys = {row.number: row.key for row in page.context["sheet"]}
    for cell, text in cells.items():
        row, _sign, name = cell.partition("_")
        posted[f"{keys[row[1:]] if row[0] == 'r' else row}-{name}"] = text
    return posted


def test_only_edited_rows_are_saved(client: Client, swiss: Event, anna: User) -> None:
    page = client.get(address(swiss))
    values = {"r1_club": "Damlust", "r1_sex": "F", "r1_born": "3.5.1984", "r2_categories": "U20, W"}
    answer = client.post(address(swiss), typed(page, **values), follow=True)
    assert "2 rows saved." in markup_of(answer)
    row = ann(swiss)
    assert (row.club, row.sex, row.born, row.version) == ("Damlust", "w", "1984-05-03", 2)
    assert row.history.latest().history_user == anna
    assert ann(swiss, 2).categories == ["U20", "W"]
    assert past_of(Competitor).objects.count() == 2


def test_new_rows_get_the_next_free_numbers(client: Client, swiss: Event) -> None:
    page = client.get(address(swiss))
    values = {"n1_name": "Eva", "n1_rating": "2100", "n3_name": "Fay", "n4_club": "Nameless"}
    answer = client.post(address(swiss), typed(page, **values))
    assert [*swiss.competitors.filter(number__gt=4).values_list("number", "name")] == [(5, "Eva"), (6, "Fay")]
    [refused] = [row for row in answer.context["new"] if row.is_typed]
    assert (refused.key, refused.texts["club"], refused.faults[0].name) == ("n4", "Nameless", "name")


def test_invalid_cells_remain_typed_and_do_not_block_other_rows(client: Client, swiss: Event) -> None:
    page = client.get(address(swiss))
    values = {"r1_rating": "many", "r2_born": "01/02/2003", "r3_sex": "x", "r4_club": "Rest"}
    answer = client.post(address(swiss), typed(page, **values))
    assert [row.number for row in answer.context["sheet"] if row.is_typed] == ["1", "2", "3"]
    assert 'value="many" size="4" aria-label="1 Ann: rating" aria-invalid="true"' in markup_of(answer)
    assert "may be 2003-01-02 or 2003-02-01" in markup_of(answer)
    assert (ann(swiss, 4).club, ann(swiss).rating) == ("Rest", None)


def test_findings_are_shown_at_their_cells(client: Client, swiss: Event) -> None:
    page = client.get(address(swiss))
    client.post(address(swiss), typed(page, r1_rating="9000", r2_fide_id="77", r3_fide_id="77"))
    findings = {
        row.number: [each.name for each in row.faults] for row in client.get(address(swiss)).context["sheet"]
    }
    assert findings == {"1": ["rating"], "2": [], "3": ["fide_id"], "4": []}


class TestTwoArbiters:
    def test_edits_of_different_cells_are_merged(self, client: Client, swiss: Event) -> None:
        page, other = client.get(address(swiss)), client.get(address(swiss))
        client.post(address(swiss), typed(page, r1_club="Mine"))
        client.post(address(swiss), typed(other, r1_city="Gouda"))
        assert (ann(swiss).club, ann(swiss).city, ann(swiss).version) == ("Mine", "Gouda", 3)

    @pytest.mark.parametrize(("choice", "club"), [("stored", "Mine"), ("mine", "Yours")])
    def test_edits_of_the_same_cell_are_a_conflict(
        self, client: Client, swiss: Event, choice: str, club: str
    ) -> None:
        page, other = client.get(address(swiss)), client.get(address(swiss))
        client.post(address(swiss), typed(page, r1_club="Mine"))
        response = client.post(address(swiss), typed(other, r1_club="Yours"))
        assert ann(swiss).club == "Mine"
        assert "anna has saved “Mine”." in markup_of(response)
        key = f"r{ann(swiss).pk}"
        choices = {f"{key}-in_conflict": "club", f"{key}-keep_club": choice}
        client.post(address(swiss), typed(response) | choices)
        assert ann(swiss).club == club

    def test_deleted_row_is_not_created_again(self, client: Client, swiss: Event) -> None:
        Competitor.objects.create(event=swiss, number=5, name="Eva")
        page = client.get(address(swiss))
        Competitor.objects.filter(number=5).delete()
        client.post(address(swiss), typed(page, r5_club="Lost"))
        assert not Competitor.objects.filter(name="Eva").exists()


def test_only_unpaired_competitors_can_be_removed(client: Client, swiss: Event) -> None:
    Competitor.objects.create(event=swiss, number=5, name="Eva")
    page = client.get(address(swiss))
    assert [row.number for row in page.context["sheet"] if row.may_go] == ["5"]
    answer = client.post(address(swiss), typed(page, r5_remove="on", r1_remove="on"))
    assert swiss.competitors.count() == 4
    assert "Ann has been paired, and stays in the record." in markup_of(answer)


def test_large_register_is_paginated_with_a_fixed_number_of_queries(
    client: Client, swiss: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Competitor.objects.bulk_create(
        Competitor(event=swiss, number=n, name=f"P {n}", rating=n) for n in range(5, 2001)
    )
    client.get(address(swiss))
    with django_assert_num_queries(27):
        page = client.get(address(swiss, "?sort=-rating&page=2"))
    assert [row.number for row in page.context["sheet"]][:2] == ["1750", "1749"]
    assert len(page.context["sheet"]) == 250


def renumber(client: Client, event: Event, order: str, **posted: str) -> HttpResponse:
    """Look at the new numbers, and save them."""
    values = {"renumber": "", "order": order, **posted}
    plan = client.post(address(event), values).context["plan"]
    seen = {"draw-seed": plan.seed, "seen": plan.summary}
    return cast("HttpResponse", client.post(address(event), values | seen, follow=True))


class TestNumbers:
    def test_new_numbers_are_shown_before_they_are_saved(self, client: Client, swiss: Event) -> None:
        for number, rating in ((1, 1500), (2, 2000), (3, None), (4, 2000)):
            swiss.competitors.filter(number=number).update(rating=rating)
        Round.objects.all().delete()
        page = client.post(address(swiss), {"renumber": "", "order": "rating"})
        assert [(number, row.number, row.name) for row, number in page.context["shown"]] == [
            *((1, 2, "Bea"), (2, 4, "Dov"), (3, 1, "Ann"), (4, 3, "Cas")),
        ]
        assert "4 competitors get another number." in markup_of(page)
        assert [*swiss.competitors.values_list("name", flat=True)] == ["Ann", "Bea", "Cas", "Dov"]
        renumber(client, swiss, "rating")
        assert [*swiss.competitors.values_list("name", flat=True)] == ["Bea", "Dov", "Ann", "Cas"]
        assert Event.objects.get().start_order == "rating"

    def test_numbers_are_shown_again_if_the_competitors_have_changed(
        self, client: Client, swiss: Event
    ) -> None:
        Round.objects.all().delete()
        values = {"renumber": "", "order": "rating"}
        seen = client.post(address(swiss), values).context["plan"].summary
        swiss.competitors.filter(number=4).update(rating=2400)
        page = client.post(address(swiss), values | {"seen": seen})
        assert "The competitors have changed. Check the numbers again." in markup_of(page)
        assert Event.objects.get().start_order == ""

    def test_after_round_1_the_register_shows_pairing_numbers(self, client: Client, swiss: Event) -> None:
        swiss.competitors.filter(number=4).update(rating=2000)
        renumber(client, swiss, "rating")
        page = client.get(address(swiss))
        assert [row.pairing_number for row in page.context["sheet"]] == [2, 3, 4, 1]
        assert "<small>pairing 1</small>" in markup_of(page)

    def test_a_row_added_after_round_1_gets_its_pairing_number(self, client: Client, swiss: Event) -> None:
        page = client.get(address(swiss))
        client.post(address(swiss), typed(page, n1_name="Eva", n1_rating="2300"))
        eva = swiss.competitors.get(name="Eva")
        assert (eva.number, eva.pairing_number) == (5, 1)

    def test_drawing_of_lots_is_reproducible_by_its_seed(self, client: Client, swiss: Event) -> None:
        Round.objects.all().delete()
        page = renumber(client, swiss, "lots")
        seed, drawn = Event.objects.get().start_seed, [*swiss.competitors.values_list("name", flat=True)]
        assert f"<b>{seed}</b>" in markup_of(page)
        assert len(seed) == 8
        renumber(client, swiss, "name")
        again = client.post(address(swiss), {"renumber": "", "order": "lots", "draw-seed": seed})
        assert [row.name for row, _number in again.context["shown"]] == drawn
        assert f"<b>{seed}</b>" in markup_of(again)

    def test_numbers_can_be_swapped(self, client: Client, swiss: Event) -> None:
        page = client.post(address(swiss), {"swap": "", "one": "1", "other": "4"}, follow=True)
        assert "Swapped: Ann and Dov." in markup_of(page)
        assert [row.pairing_number for row in client.get(address(swiss)).context["sheet"]] == [4, "", "", 1]
        refused = client.post(address(swiss), {"swap": "", "one": "1", "other": "9"}, follow=True)
        assert "There is no competitor 9." in markup_of(refused)


class TestTeams:
    @pytest.fixture
    def match(self, db: None) -> Event:
        return stored_event(match_file())

    def test_players_are_added_by_the_number_of_their_team(self, client: Client, match: Event) -> None:
        page = client.get(address(match, "?of=players"))
        values = {"n1_team": "2", "n1_name": "Ann", "n1_board": "1", "n2_team": "9", "n2_name": "Bea"}
        answer = client.post(address(match, "?of=players"), typed(page, **values))
        assert [(each.name, each.competitor.number) for each in Player.objects.all()] == [("Ann", 2)]
        assert "Write the number of the team." in markup_of(answer)

    def test_boards_can_be_exchanged_but_not_duplicated(self, client: Client, match: Event) -> None:
        team = match.competitors.get(number=1)
        for board, name in enumerate(("Ann", "Bea"), start=1):
            Player.objects.create(competitor=team, board=board, name=name)
        one, other = Player.objects.order_by("board")
        query = "?of=players"
        keys = {f"r{each.pk}-seen": "1" for each in (one, other)}
        cells = {f"r{one.pk}-name": "Ann", f"r{other.pk}-name": "Bea"}
        exchanged = {f"r{one.pk}-board": "2", f"r{other.pk}-board": "1"}
        client.post(address(match, query), keys | cells | exchanged)
        assert [*Player.objects.order_by("board").values_list("name", flat=True)] == ["Bea", "Ann"]
        page = client.post(
            address(match, query), {f"r{one.pk}-seen": "2", f"r{one.pk}-name": "Ann", f"r{one.pk}-board": "1"}
        )
        assert [row.number for row in page.context["sheet"] if row.is_typed] == ["1"]
        assert Player.objects.get(name="Ann").board == 2
