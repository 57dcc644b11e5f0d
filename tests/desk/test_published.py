"""Publisher, source and day of published standings are edited at the desk, with versions."""

from typing import Any

import pytest
from django.urls import reverse

from tests.cast import Desk
from tournaments.models import Published

pytestmark = pytest.mark.django_db


def save(desk: Desk, who: str, row: Published, **values: str) -> Any:
    """Post the form with the values of `row`, except for some."""
    form = {"publisher": row.publisher, "source": row.source, "taken": row.taken, "seen": row.version}
    address = reverse("admin:tournaments_published_change", args=[row.pk])
    return desk.browser(who).post(address, form | values)


def test_publisher_source_and_day_are_saved(desk: Desk) -> None:
    row = Published.objects.get(event=desk.event)
    assert save(desk, "arbiter", row, publisher="A federation", taken="2026-05-03").status_code == 302
    saved = Published.objects.get(pk=row.pk)
    assert (saved.publisher, saved.source, saved.taken) == ("A federation", "A booklet.", "2026-05-03")
    assert saved.version == row.version + 1
    assert saved.history.first().history_user == desk.people["arbiter"]
    page = desk.browser("nobody").get("/events/two-teams/check/").content.decode()
    assert "A federation" in page
    assert "3 May 2026" in page


@pytest.mark.parametrize("taken", ["2026", "2026-02-31", "yesterday"])
def test_invalid_day_is_rejected(desk: Desk, taken: str) -> None:
    row = Published.objects.get(event=desk.event)
    answer = save(desk, "arbiter", row, taken=taken)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "is no day. Write 2018-10-06." in page or "at most 10 characters" in page
    assert Published.objects.get(pk=row.pk).taken == ""


def test_conflict_shows_both_values(desk: Desk) -> None:
    row = Published.objects.get(event=desk.event)
    save(desk, "arbiter", row, publisher="A federation")
    answer = save(desk, "organiser", row, publisher="A club")
    (difference,) = [each for form in answer.context["conflicts"] for each in form.differences]
    assert (difference.stored, difference.mine) == ("A federation", "A club")
    assert Published.objects.get(pk=row.pk).publisher == "A federation"


def test_form_does_not_change_the_figures(desk: Desk) -> None:
    row = Published.objects.get(event=desk.event)
    save(desk, "arbiter", row, order="[[1]]", columns="{}")
    assert Published.objects.get(pk=row.pk).order == row.order
