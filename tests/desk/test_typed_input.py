"""The ids of typed input return with a redirect if the form was accepted, else in the forms of the page."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.cast import Hall, browser_of, create_account, open_hall, posted_rows, prizes_file
from tournaments.accounts.services.roles import Role
from tournaments.models import Person

pytestmark = pytest.mark.django_db

IDS = ["0b5a-1", "0b5a-2"]
FIELD = '<input type="hidden" name="typed" value="0b5a-1"><input type="hidden" name="typed" value="0b5a-2">'


@pytest.fixture
def hall() -> Hall:
    return open_hall(prizes_file())


def post_category(hall: Hall, code: str, browser: Client | None = None, typed: Any = IDS) -> Any:
    values = {"seen": str(hall.event.version), "save": "1", **posted_rows(categories=[{"code": code}])}
    address = hall.address("event-categories")
    return (browser or hall.browser).post(address, {**values, "typed": typed})


def test_redirect_after_an_accepted_form_has_the_ids(hall: Hall) -> None:
    hall.event.prizes = []
    hall.event.save()
    answer = post_category(hall, "W", typed=[*IDS, "<b>"])
    assert answer["Location"].endswith("/categories/#saved=0b5a-1,0b5a-2")


def test_anchor_of_a_redirect_stays(hall: Hall) -> None:
    competitor = hall.event.competitors.get(number=1)
    mark = f"{competitor.pk} present 0"
    answer = hall.browser.post(hall.address("event-attendance"), {"mark": mark, "typed": IDS[0]})
    assert answer["Location"].endswith(f"#c{competitor.pk}&saved=0b5a-1")


def test_refused_form_has_the_ids_again(hall: Hall) -> None:
    assert FIELD in post_category(hall, "not a code").content.decode()


def test_redirect_to_the_login_has_no_ids(hall: Hall) -> None:
    assert "saved=" not in post_category(hall, "W", browser=Client())["Location"]


def test_redirect_without_a_save_has_an_error_after_a_post_only(hall: Hall) -> None:
    address = hall.address("round-pairing", 1, 99)
    for answer, tag in [
        (hall.browser.post(address, {"act": "note", "note": "Late.", "typed": IDS}, follow=True), "error"),
        (hall.browser.get(address, follow=True), "info"),
    ]:
        assert [each.tags for each in answer.context["messages"]] == [tag]


def test_form_about_a_merged_person_has_an_error(db: None) -> None:
    one, other = (Person.objects.create(name="Sy, Baba") for _ in range(2))
    Person.objects.filter(pk=other.pk).update(merged_into=one)
    otto = browser_of(create_account("otto", Role.ORGANISER))
    for screen in ("person", "person-merge", "person-split", "person-link", "person-hide"):
        answer = otto.post(reverse(f"admin:{screen}", args=[other.pk]), {"typed": IDS}, follow=True)
        assert answer.request["PATH_INFO"] == reverse("admin:person", args=[one.pk])
        assert [each.tags for each in answer.context["messages"]] == ["error"]


def test_event_that_is_in_the_state_already_gives_an_error(hall: Hall) -> None:
    otto = browser_of(create_account("otto", Role.ORGANISER))
    values = {"reason": "It is over.", "typed": IDS}
    answer = otto.post(hall.address("event-publish", hall.event.state), values, follow=True)
    assert [each.tags for each in answer.context["messages"]] == ["error"]
