"""Categories and prizes at the desk: edited as rows, previewed, and saved with a version."""

from html import unescape
from typing import Any

import pytest

from tests.cast import Hall, create_account, posted_rows, prizes_file, stored_event
from tournaments.accounts.services.roles import Role
from tournaments.event.categories import EventCategory
from tournaments.event.schema import with_blanks
from tournaments.models import Competitor, Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    event = stored_event(prizes_file())
    arbiter = create_account("anna", Role.ARBITER)
    event.arbiters.add(arbiter)
    return Hall(event, arbiter)


def shown(answer: Any) -> str:
    assert answer.status_code == 200
    return " ".join(unescape(answer.content.decode()).split())


def categories(hall: Hall, rows: list[dict[str, Any]], **more: str) -> Any:
    usual = {"seen": str(Event.objects.get().version), **posted_rows(categories=rows)}
    return hall.browser.post(hall.address("event-categories"), usual | more)


LISTED: list[dict[str, Any]] = [
    {"code": "W", "sex": "w"},
    {"code": "U20", "age_under": 20},
    {"code": "B", "rating_from": 1800, "rating_to": 1999, "name": "Group B", "names_nl": "Groep B"},
    {"code": "Unr", "unrated": "on"},
]
S60 = {"code": "S60", "age_from": 60, "clubs": "DC Utrecht\nDV  Delft, Zuid", "age_on": "2024-09-01"}


def test_categories_are_shown_as_stored(hall: Hall) -> None:
    html = shown(hall.get("event-categories"))
    for index, row in enumerate(LISTED):
        assert f'name="categories-{index}-code" value="{row["code"]}"' in html
    assert 'name="categories-2-names_nl" value="Groep B"' in html
    assert categories(hall, [*LISTED, {"sex": ""}], save="1").status_code == 302
    assert Event.objects.get().version == 1  # unchanged


def test_preview_of_categories_counts_members_without_saving(hall: Hall) -> None:
    Competitor.objects.filter(number=1).update(sex="")
    html = shown(categories(hall, [*LISTED, S60], look="1"))
    assert "not saved yet" in html
    assert "60 and older" in html
    assert len(Event.objects.get().categories) == 4
    answer = hall.get("event-categories")
    women = answer.context["counts"][0]
    assert [each.number for each in women["members"]] == [2, 5]
    assert [each.number for each in women["unknown"]] == [1]


def test_categories_are_saved_with_history_and_version(hall: Hall) -> None:
    assert categories(hall, [*LISTED, S60], save="1").status_code == 302
    event = Event.objects.get()
    assert [each["code"] for each in event.categories] == ["W", "U20", "B", "Unr", "S60"]
    assert event.categories[2]["names"] == {"nl": "Groep B"}
    assert event.categories[4] == with_blanks(
        EventCategory, {**S60, "clubs": ["DC Utrecht", "DV Delft, Zuid"]}
    )
    assert (event.version, event.history.first().history_user.username) == (2, "anna")
    html = shown(categories(hall, LISTED, save="1", seen="1"))
    assert "has changed this" in html
    assert len(Event.objects.get().categories) == 5


def test_conflict_shows_stored_and_typed_values_and_can_be_saved(hall: Hall) -> None:
    event = Event.objects.get()
    Event.objects.update(version=2, prizes=event.prizes[:1], prize_currency="USD")
    html = shown(prizes(hall, [{"category": "", "amount": "70"}], save="1", seen="1"))
    for text in (
        "<dd>Stored now: Category: whole event, Place: 1, Amount: 100, Goods, such as a cup: a cup</dd>",
        "<dd>Typed: Category: whole event, Amount: 70</dd>",
        "<dt>Currency</dt> <dd>Stored now: USD</dd> <dd>Typed: eur</dd>",
        'name="seen" value="2"',
        'name="prizes-0-amount" value="70"',
    ):
        assert text in html
    assert "<dt>Sharing</dt>" not in html  # equal
    assert prizes(hall, [{"amount": "70"}], save="1", seen="2").status_code == 302
    assert Event.objects.get().prizes[0]["amount"] == 7000

    html = shown(categories(hall, [LISTED[1]], save="1", seen="2"))
    assert "<dt>Categories</dt> <dd>Stored now: Code: W, Sex: woman; Code: U20" in html
    assert "<dd>Typed: Code: U20, Younger than: 20</dd>" in html
    assert 'name="seen" value="3"' in html


def test_equal_names_of_special_prizes_give_one_award(hall: Hall) -> None:
    rows = [{"category": code, "name": "Fair play", "goods": "a cup", "winners": "4"} for code in ("", "W")]
    assert prizes(hall, [{"amount": "100"}, *rows], save="1").status_code == 302
    assert Competitor.objects.get(number=4).awards == ["Fair play"]


def test_names_in_languages_of_a_file_are_kept(hall: Hall) -> None:
    event = Event.objects.get()
    event.categories[0]["names"] = {"de": "Damen"}
    event.save()
    assert 'name="categories-0-names_de" value="Damen"' in shown(hall.get("event-categories"))
    assert categories(hall, [{**LISTED[0], "names_de": "Frauen"}, *LISTED[1:]], save="1").status_code == 302
    assert Event.objects.get().categories[0]["names"] == {"de": "Frauen"}


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([LISTED[0], {"code": "B", "rating_from": "old"}], "Enter a whole number."),
        ([{"code": "a b"}], "Write letters, digits, + and -, such as U20."),
        ([{"name": "Women"}], "This field is required."),
        ([{"code": "U0", "age_on": "monday"}], "“monday” is no day. Write 2018-10-06."),
        (LISTED[1:], "The event has no category W."),
        ([*LISTED, {"code": "w", "age_from": 20}], "is listed twice"),
    ],
)
def test_rows_with_errors_are_not_saved(hall: Hall, rows: list[dict[str, Any]], fault: str) -> None:
    assert fault in shown(categories(hall, rows, save="1"))
    assert len(Event.objects.get().categories) == 4


def prizes(hall: Hall, rows: list[Any], **more: str) -> Any:
    usual = {"seen": str(Event.objects.get().version), "prize_sharing": "equal", "prize_step": "0.01"}
    form = {**usual, "prize_currency": "eur", **posted_rows(prizes=rows), **more}
    return hall.browser.post(hall.address("event-prizes"), form)


BEST_GAME = {"name": "Best game", "amount": "€ 25", "winners": "4"}
OFFERED: list[dict[str, Any]] = [
    {"first": 1, "amount": "100", "goods": "a cup"},
    {"amount": "60"},
    {"first": 3, "amount": "40.00"},
    {"category": "W", "amount": "50"},
    {"category": "W", "first": 2, "amount": "20,50"},
    {"category": "U20", "amount": "30"},
    {"category": "Unr", "goods": "a book"},
    BEST_GAME,
]


def test_prizes_are_shown_as_stored(hall: Hall) -> None:
    html = shown(hall.get("event-prizes"))
    for text in ('name="prizes-0-amount" value="100"', 'name="prizes-4-amount" value="20.50"'):
        assert text in html
    assert "50 + 20.50 shared by 2: 35.25 each" in html
    assert 'name="prizes-7-winners" value="4"' in html
    assert prizes(hall, OFFERED, save="1").status_code == 302
    assert Event.objects.get().version == 1


def test_equal_prizes_of_consecutive_places_share_a_row(hall: Hall) -> None:
    rows = [{"amount": "100"}, {"first": 2, "last": 4, "amount": "50"}, {"amount": "20"}, {"amount": "20"}]
    assert prizes(hall, rows, save="1").status_code == 302
    assert [(each["place"], each["amount"]) for each in Event.objects.get().prizes] == [
        (1, 10000), (2, 5000), (3, 5000), (4, 5000), (5, 2000), (6, 2000),
    ]  # fmt: skip
    shown_rows = hall.get("event-prizes").context["form"]["prizes"].value()
    assert [(each["first"], each["last"], each["amount"]) for each in shown_rows] == [
        (1, 0, "100"), (2, 4, "50"), (5, 6, "20"),
    ]  # fmt: skip


def test_desk_proposes_us_chess_rules_for_an_event_without_prizes(hall: Hall) -> None:
    assert hall.get("event-prizes").context["form"].initial["prize_sharing"] == "equal"
    Event.objects.update(prizes=[])
    assert hall.get("event-prizes").context["form"].initial["prize_sharing"] == "us-chess"


def test_preview_of_prizes_shows_winners_without_saving(hall: Hall) -> None:
    rows = [{"amount": "600"}, {"amount": "400"}, {"category": "W", "amount": "500"}]
    html = shown(prizes(hall, rows, look="1", prize_sharing="hort"))
    assert "Hort: competitors with equal points each put a prize into a pool" in html
    assert "600" in html
    assert Event.objects.get().prizes[0]["amount"] == 10000


def test_prizes_and_special_prizes_are_saved(hall: Hall) -> None:
    fair_play = {"name": "Fair play", "goods": "a flower", "winners": "6"}
    rows = [*OFFERED[:-1], BEST_GAME | {"winners": "1, 4, 4"}, fair_play]
    assert prizes(hall, rows, save="1", prize_step="5", prize_sharing="hort").status_code == 302
    event = Event.objects.get()
    assert (event.prize_step, event.prize_sharing, event.prize_currency) == (500, "hort", "EUR")
    awards = dict(Competitor.objects.exclude(awards=[]).values_list("number", "awards"))
    assert awards == {1: ["Best game"], 4: ["Best game"], 6: ["Fair play"]}
    # A removed special prize has no winner.
    assert prizes(hall, [{**BEST_GAME, "DELETE": "on"}, {"amount": "100"}], save="1").status_code == 302
    assert not Competitor.objects.exclude(awards=[]).exists()


@pytest.mark.parametrize(
    ("row", "more", "fault"),
    [
        ({"first": 2, "amount": "200"}, {}, "Prizes do not rise with the place."),
        ({"amount": "1.000"}, {}, "“1.000” is no amount."),
        ({"first": 2}, {}, "Write an amount, such as 150, or goods"),
        ({"first": 5, "last": 3, "amount": "10"}, {}, "Write the first and the last place"),
        ({"last": 3, "amount": "10"}, {}, "Write the first and the last place"),
        ({"first": 2, "last": 9_999, "amount": "10"}, {}, "Write the first and the last place"),
        (BEST_GAME | {"first": 2}, {}, "A special prize has no place."),
        (BEST_GAME | {"winners": "9"}, {}, "There is no competitor 9."),
        (BEST_GAME | {"winners": "Dov"}, {}, "“Dov” is not a start number."),
        (BEST_GAME | {"name": ""}, {}, "Only special prizes are given by hand."),
        ({"category": "X", "amount": "10"}, {}, "Select a valid choice."),
        ({}, {"prize_step": "0"}, "Write an amount, such as 0.01"),
        ({}, {"seen": "7"}, "has changed this"),
        ({}, {"prizes-TOTAL_FORMS": ""}, "ManagementForm data is missing"),
    ],
)
def test_invalid_prizes_are_rejected(
    hall: Hall, row: dict[str, Any], more: dict[str, str], fault: str
) -> None:
    assert fault in shown(prizes(hall, [{"amount": "100"}, row], save="1", **more))
    assert Event.objects.get().prizes[0]["goods"] == "a cup"


def test_arbiter_of_another_event_gets_404(hall: Hall) -> None:
    other = Hall(hall.event, create_account("olga", Role.ARBITER))
    assert other.get("event-prizes").status_code == 404
    assert other.get("event-categories").status_code == 404
