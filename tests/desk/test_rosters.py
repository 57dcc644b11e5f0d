"""A pasted list of competitors: looked at first, entered whole, the bad line named."""

from typing import Any

import pytest
from django.urls import reverse

from tests.cast import Desk
from tournaments.models import Competitor, Player

pytestmark = pytest.mark.django_db

LIST = "Whites;NED;2100\n  Ann;2310;MI\n  Bea\nBlacks"


def post(desk: Desk, text: str, **button: str) -> Any:
    address = reverse("admin:event-roster", args=[desk.event.pk])
    return desk.browser("arbiter").post(address, {"text": text, **button})


def test_a_preview_enters_nothing(desk: Desk) -> None:
    page = post(desk, LIST)

    assert page.context["is_ready"]
    assert [line.name for line in page.context["pasted"].lines] == ["Whites", "Ann", "Bea", "Blacks"]
    assert Competitor.objects.filter(event=desk.event).count() == 3


def test_what_was_looked_at_is_entered(desk: Desk) -> None:
    shown = post(desk, LIST).context["form"]["text"].value()
    answer = post(desk, shown, enter="Enter them all")

    assert answer["Location"] == reverse("admin:event-desk", args=[desk.event.pk])
    assert list(Competitor.objects.filter(event=desk.event, number__gt=3).values_list("name", flat=True)) == [
        "Whites",
        "Blacks",
    ]
    assert list(Player.objects.filter(competitor__name="Whites").values_list("name", flat=True)) == [
        "Ann",
        "Bea",
    ]


def test_the_bad_line_is_named_and_nothing_entered(desk: Desk) -> None:
    for button in ({}, {"enter": "Enter them all"}):
        page = post(desk, "Whites\nBlacks;NED;2l00", **button)

        assert not page.context["is_ready"]
        assert "“2l00” is no rating" in page.content.decode()
        assert Competitor.objects.filter(event=desk.event).count() == 3


def test_somebody_entered_one_of_them_meanwhile(desk: Desk) -> None:
    assert post(desk, LIST).context["is_ready"]
    Competitor.objects.create(event=desk.event, number=4, name="Blacks")
    page = post(desk, LIST, enter="Enter them all")

    assert "Blacks is there already, as number 4" in page.content.decode()
    assert not Competitor.objects.filter(name="Whites").exists()


def test_the_list_can_be_changed_after_the_preview(desk: Desk) -> None:
    page = post(desk, LIST, change="Change the list")

    assert not page.context["is_ready"]
    assert "<textarea" in page.content.decode()


def test_markup_in_a_name_stays_text(desk: Desk) -> None:
    page = post(desk, "<script>alert(1)</script>;<b>").content.decode()

    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page
