"""Pages that were open when a backup was restored overwrite nothing, and no typed result is lost."""

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.cast import Desk, browser_of
from tests.tournaments.recording.desk import at, typed
from tournaments.models import Competitor, Event, Receipt
from tournaments.operations.epoch import epoch_now, renew_epoch
from tournaments.recording.results.submissions import enter

pytestmark = pytest.mark.django_db

FORM = re.compile(r'<form[^>]*method="post".*?</form>', re.DOTALL | re.IGNORECASE)
EPOCH = re.compile(r'name="epoch" value="([^"]*)"')


@pytest.fixture
def client(anna: User) -> Client:
    return browser_of(anna)


def results(event: Event, name: str = "results") -> str:
    return reverse(f"admin:{name}", args=[event.pk, 2])


def send(client: Client, event: Event, user: User, *entries: dict[str, Any]) -> list[dict[str, Any]]:
    body = {"user": user.pk, "entries": list(entries)}
    address = results(event, "results-entries")
    sent = client.post(address, json.dumps(body), content_type="application/json")
    found: list[dict[str, Any]] = sent.json()["outcomes"]
    return found


def entry(event: Event, seen: str | int, text: str = "2-0") -> dict[str, Any]:
    return {"id": str(uuid4()), "pairing": at(event, 2, 1).pk, "board": None, "text": text, "seen": seen}


# --- forms ------------------------------------------------------------------------------------------------


def test_all_forms_contain_the_epoch(desk: Desk) -> None:
    event, browser = desk.event.pk, desk.browser("superuser")
    screens = [
        "/admin/password_change/",
        reverse("admin:event-desk", args=[event]),
        reverse("admin:results", args=[event, 2]),
        *(
            reverse(f"admin:{model._meta.db_table}_change", args=[model.pk])
            for model in (desk.event, Competitor.objects.first())
            if model
        ),
        reverse("admin:tournaments_competitor_changelist"),
    ]
    forms = {screen: FORM.findall(browser.get(screen).content.decode()) for screen in screens}
    assert all(forms.values()), forms
    epochs = {found for all_ in forms.values() for form in all_ for found in EPOCH.findall(form) or [form]}
    assert epochs == {epoch_now()}


def test_form_of_another_epoch_is_rejected(desk: Desk) -> None:
    """By its key and version it could be another row."""
    row = Competitor.objects.get(event=desk.event, number=3)
    address = reverse("admin:tournaments_competitor_change", args=[row.pk])
    browser = desk.browser("arbiter")
    (epochs,) = {*EPOCH.findall(browser.get(address).content.decode())}
    form = {"number": 3, "name": "Lost", "seen": row.version, "epoch": epochs}
    form |= {"players-TOTAL_FORMS": 0, "players-INITIAL_FORMS": 0}
    renew_epoch()
    answer = browser.post(address, form)
    assert answer.status_code == 409
    assert "restored from a backup" in answer.content.decode()
    assert address in answer.content.decode()
    assert Competitor.objects.get(pk=row.pk).name == row.name
    assert browser.post(address, form | {"epoch": epoch_now()}).status_code == 302
    assert Competitor.objects.get(pk=row.pk).name == "Lost"


def test_form_with_two_epochs_is_rejected(desk: Desk) -> None:
    """The page that repeats a form contains the posted fields and its own epoch."""
    address = reverse("admin:results", args=[desk.event.pk, 2])
    sent = {"epoch": ["0123456789ab", epoch_now()]}
    assert desk.browser("arbiter").post(address, sent).status_code == 409


def test_login_and_logout_ignore_the_epoch(desk: Desk) -> None:
    browser = desk.browser("arbiter")
    assert browser.post("/admin/logout/", {"epoch": "0123456789ab"}).status_code in {200, 302}
    assert browser.post("/admin/login/", {"epoch": "0123456789ab"}).status_code == 200


# --- typed results ----------------------------------------------------------------------------------------


def test_results_page_has_versions_with_epoch(client: Client, swiss: Event) -> None:
    version = at(swiss, 2, 1).version
    assert f'data-version="{version}.{epoch_now()}"' in client.get(results(swiss)).content.decode()


def test_result_of_another_epoch_is_a_conflict_even_if_the_version_is_equal(
    client: Client, anna: User, swiss: Event
) -> None:
    seen = f"{at(swiss, 2, 1).version + 1}.{epoch_now()}"  # the version of the lost future
    renew_epoch()
    enter(swiss, [typed(at(swiss, 2, 1), "0-2")], anna)  # which increases the version to the same number
    (outcome,) = send(client, swiss, anna, entry(swiss, seen))
    assert (outcome["state"], outcome["text"], outcome["mine"]) == ("conflict", "0-2", "2-0")
    (chosen,) = send(client, swiss, anna, entry(swiss, outcome["version"]))
    assert (chosen["state"], chosen["text"]) == ("saved", "2-0")


def test_result_without_receipt_after_a_restore_is_a_conflict(
    client: Client, anna: User, swiss: Event
) -> None:
    sent = entry(swiss, f"{at(swiss, 2, 1).version}.{epoch_now()}")
    (saved,) = send(client, swiss, anna, sent)
    assert saved["state"] == "saved"
    Receipt.objects.all().delete()  # with the result, since a restore removes both
    row = at(swiss, 2, 1)
    row.kind, row.first_score, row.second_score, row.version = "pending", None, None, 1
    row.save()
    renew_epoch()
    (again,) = send(client, swiss, anna, sent)
    assert (again["state"], again["text"], again["mine"]) == ("conflict", "", "2-0")
    (chosen,) = send(client, swiss, anna, entry(swiss, again["version"]))
    assert (chosen["state"], chosen["text"]) == ("saved", "2-0")


def test_version_without_epoch_is_accepted(client: Client, anna: User, swiss: Event) -> None:
    (outcome,) = send(client, swiss, anna, entry(swiss, at(swiss, 2, 1).version))
    assert outcome["state"] == "saved"


@pytest.mark.parametrize("seen", ["", ".", "x.y", "-1.", "9" * 5_000, "²", None, 1.5])
def test_invalid_version_is_400(client: Client, anna: User, swiss: Event, seen: str | None) -> None:
    body = json.dumps({"user": anna.pk, "entries": [entry(swiss, 1) | {"seen": seen}]})
    address = results(swiss, "results-entries")
    assert client.post(address, body, content_type="application/json").status_code == 400


def test_open_page_reloads_after_a_restore(client: Client, swiss: Event) -> None:
    page = client.get(results(swiss))
    params = {"revision": page.context["revision"]}
    assert client.get(results(swiss, "results-news"), params).status_code == 204
    renew_epoch()
    news = client.get(results(swiss, "results-news"), params)
    assert news.status_code == 200
    assert news.json()["shape"] != page.context["shape"]
