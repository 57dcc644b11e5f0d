"""Categories and prizes at the desk: edited as a list, previewed, and saved with a version."""

from html import unescape
from typing import Any

import pytest

from tests.cast import Hall, create_account, prizes_file, stored_event
from tournaments.accounts.services.roles import Role
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


def categories(hall: Hall, text: str, **more: str) -> Any:
    seen = Event.objects.get().version
    return hall.post("event-categories", **({"text": text, "seen": str(seen)} | more))


LISTED = "W\nU20\nB: 1800-1999 = Group B / nl Groep B\nUnr: unrated"


def test_categories_are_shown_as_typed(hall: Hall) -> None:
    html = shown(hall.get("event-categories"))
    assert LISTED.replace("\n", " ") in html
    assert categories(hall, LISTED, save="1").status_code == 302
    assert Event.objects.get().version == 1  # unchanged


def test_preview_of_categories_counts_members_without_saving(hall: Hall) -> None:
    Competitor.objects.filter(number=1).update(sex="")
    html = shown(categories(hall, f"{LISTED}\nS60", look="1"))
    assert "not saved yet" in html
    assert "60 and older" in html
    assert len(Event.objects.get().categories) == 4
    answer = hall.get("event-categories")
    women = answer.context["counts"][0]
    assert [[each.number for each in those] for those in (women.members, women.unknown)] == [[2, 5], [1]]


def test_categories_are_saved_with_history_and_version(hall: Hall) -> None:
    assert categories(hall, f"{LISTED}\nS60", save="1").status_code == 302
    event = Event.objects.get()
    assert [each["code"] for each in event.categories] == ["W", "U20", "B", "Unr", "S60"]
    assert (event.version, event.history.first().history_user.username) == (2, "anna")
    html = shown(categories(hall, LISTED, save="1", seen="1"))
    assert "has changed this" in html
    assert len(Event.objects.get().categories) == 5


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("W\nB: old", "Line 2, “B: old”: “old” is no rule."),
        ("U20", "The event has no category W."),
        (f"{LISTED}\nw: S20", "is listed twice"),
    ],
)
def test_list_with_errors_is_not_saved(hall: Hall, text: str, fault: str) -> None:
    assert fault in shown(categories(hall, text, save="1"))
    assert len(Event.objects.get().categories) == 4


def prizes(hall: Hall, text: str, **more: str) -> Any:
    seen = Event.objects.get().version
    usual = {"text": text, "seen": str(seen), "prize_sharing": "equal", "prize_step": "0.01"}
    form = {**usual, "prize_currency": "eur", **more}
    return hall.browser.post(hall.address("event-prizes"), form)


OFFERED = "1. 100 + a cup\n2. 60\n3. 40\nW: 50; 20.50\nU20: 30\nUnr: a book\nBest game: 25"


def test_prizes_are_shown_as_typed(hall: Hall) -> None:
    html = shown(hall.get("event-prizes"))
    assert OFFERED.replace("\n", " ") in html
    assert "50 + 20.50 shared by 2: 35.25 each" in html
    assert 'name="award Best game" value="4"' in html
    assert prizes(hall, OFFERED, **{"award Best game": "4"}, save="1").status_code == 302
    assert Event.objects.get().version == 1


def test_desk_proposes_us_chess_rules_for_an_event_without_prizes(hall: Hall) -> None:
    assert hall.get("event-prizes").context["form"].initial["prize_sharing"] == "equal"
    Event.objects.update(prizes=[])
    assert hall.get("event-prizes").context["form"].initial["prize_sharing"] == "us-chess"


def test_preview_of_prizes_shows_winners_without_saving(hall: Hall) -> None:
    html = shown(prizes(hall, "600; 400\nW: 500", look="1", prize_sharing="hort"))
    assert "Hort: competitors with equal points each put a prize into a pool" in html
    assert "600" in html
    assert Event.objects.get().prizes[0]["amount"] == 10000


def test_prizes_and_special_prizes_are_saved(hall: Hall) -> None:
    text = f"{OFFERED}\nFair play: a flower"
    given = {"award Best game": "1, 4", "award Fair play": "6"}
    assert prizes(hall, text, save="1", prize_step="5", prize_sharing="hort", **given).status_code == 302
    event = Event.objects.get()
    assert (event.prize_step, event.prize_sharing, event.prize_currency) == (500, "hort", "EUR")
    awards = dict(Competitor.objects.exclude(awards=[]).values_list("number", "awards"))
    assert awards == {1: ["Best game"], 4: ["Best game"], 6: ["Fair play"]}
    # A removed special prize has no winner.
    assert prizes(hall, "100", save="1").status_code == 302
    assert not Competitor.objects.exclude(awards=[]).exists()


@pytest.mark.parametrize(
    ("text", "more", "fault"),
    [
        ("100; 200", {}, "Prizes do not rise with the place."),
        ("1.000", {}, "“1.000” is no amount."),
        ("Best game: 25", {"award Best game": "9"}, "There is no competitor 9."),
        ("Best game: 25", {"award Best game": "Dov"}, "“Dov” is not a start number."),
        ("100", {"prize_step": "0"}, "Write an amount, such as 0.01"),
        ("100", {"seen": "7"}, "has changed this"),
    ],
)
def test_invalid_prizes_are_rejected(hall: Hall, text: str, more: dict[str, str], fault: str) -> None:
    assert fault in shown(prizes(hall, text, save="1", **more))
    assert Event.objects.get().prizes[0]["amount"] == 10000


def test_category_decision_needs_a_reason(hall: Hall) -> None:
    bea = Competitor.objects.get(number=2)
    address = f"/admin/tournaments/competitor/{bea.pk}/change/"
    form = hall.browser.get(address).context["adminform"].form
    values = {name: "" if value is None else value for name, value in form.initial.items()}
    values |= {"categories": "", "requested_byes": "", "adjustments": "", "seen": "1", "version": "1"}
    values |= {"category_decisions": "W out", "players-TOTAL_FORMS": "0", "players-INITIAL_FORMS": "0"}
    assert "A decision has a reason" in shown(hall.browser.post(address, values))


def test_arbiter_of_another_event_gets_404(hall: Hall) -> None:
    other = Hall(hall.event, create_account("olga", Role.ARBITER))
    assert other.get("event-prizes").status_code == 404
    assert other.get("event-categories").status_code == 404
