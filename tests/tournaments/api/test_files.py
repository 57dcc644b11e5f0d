"""Files of the write API: dry runs, imports, refusals, new events, repetition."""

import json
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from standings.management.commands.work import work_off
from tests.cast import Desk, create_account, create_desk, stored_event, swiss_file
from tests.config.test_push_to_site import PROGRAMS
from tournaments.accounts.models import ApiToken
from tournaments.accounts.services.roles import Role
from tournaments.accounts.services.tokens import create_token
from tournaments.api import files
from tournaments.models import Backup, Change, Competitor, Event, Job, Upload
from tournaments.operations.revision import revision_of

pytestmark = pytest.mark.django_db(transaction=True)

Action = ApiToken.Action
LIST = b"Snr;Speler;Elo\n1;Reds;2400\n4;Greys;2100\n"


@pytest.fixture(autouse=True)
def requests_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "wait_for_job", lambda _job, _seconds: work_off())


@pytest.fixture
def desk(db: None) -> Desk:
    return create_desk()


def secret_of(account: Any, *actions: Action, **about: Any) -> str:
    values = {"name": "laptop", "actions": list(actions or Action), "events": [], "ends": None}
    return create_token(account, {"all_events": True, **values, **about})[1]


def put(secret: str, address: str, content: bytes = LIST, if_match: str = "") -> Any:
    return Client().put(
        f"/api/write/{address}",
        content,
        content_type="application/octet-stream",
        headers={"Authorization": f"Bearer {secret}", "If-Match": if_match},
    )


def uploads() -> int:
    return Upload.objects.count()


def test_dry_run_returns_changes_without_storing_them(desk: Desk) -> None:
    secret, before, revision = secret_of(desk.people["arbiter"]), uploads(), revision_of(desk.event.pk)
    answer = put(secret, "events/two-teams/file?name=list.csv&dry_run=true")

    assert answer.status_code == 200, answer.content
    report = answer.json()
    assert report["state"] == "previewed"
    assert "+ competitor 4 Greys" in " ".join(report["changes"])
    assert (report["event"], report["new"], report["revision"]) == ("two-teams", False, revision)
    assert not Competitor.objects.filter(event=desk.event, number=4).exists()
    assert (uploads(), revision_of(desk.event.pk)) == (before, revision)


def test_repeated_import_is_unchanged(desk: Desk) -> None:
    secret, before = secret_of(desk.people["arbiter"]), uploads()
    answer = put(secret, "events/two-teams/file?name=list.csv")

    assert (answer.status_code, answer.json()["state"]) == (200, "applied"), answer.content
    assert Competitor.objects.get(event=desk.event, number=4).name == "Greys"
    assert Backup.objects.filter(event=desk.event, reason="Before an import", by="anna").count() == 1
    assert Upload.objects.exclude(applied=None).filter(name="list.csv", user__username="anna").count() == 1
    revision = revision_of(desk.event.pk)
    assert answer.json()["revision"] == revision
    assert LogEntry.objects.latest("pk").change_message == "laptop: file to two-teams"

    again = put(secret, "events/two-teams/file?name=list.csv").json()
    assert (again["state"], again["changes"], again["revision"]) == ("unchanged", [], revision)
    assert (uploads(), revision_of(desk.event.pk)) == (before + 1, revision)


def test_waiting_file_has_an_address_of_its_token(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "wait_for_job", lambda _job, _seconds: None)
    secret, other = secret_of(desk.people["arbiter"]), secret_of(desk.people["arbiter"])
    waiting = put(secret, "events/two-teams/file?name=list.csv")
    assert (waiting.status_code, waiting["Retry-After"]) == (202, "2")
    address = waiting.json()["job"]
    assert waiting["Location"] == address

    def poll(token: str) -> Any:
        return Client().get(address, headers={"Authorization": f"Bearer {token}"})

    assert poll(secret).json() == {"state": "waiting", "job": address}
    work_off()
    assert poll(secret).json()["state"] == "applied"
    assert poll(other).status_code == 404


def test_correction_needs_a_reason_as_at_the_desk() -> None:
    event = stored_event(swiss_file())
    secret = secret_of(create_account("otto", Role.ORGANISER))
    data = swiss_file()
    pairing = data["rounds"][0]["pairings"][0]
    pairing["score"] = pairing["score"][::-1] if pairing["score"][0] != pairing["score"][1] else [2, 0]
    content = json.dumps(data).encode()
    address = f"events/{event.slug}/file?name=event.json"

    refused = put(secret, address, content)
    assert (refused.status_code, refused["Content-Type"]) == (422, "application/problem+json"), (
        refused.content
    )
    assert "Give a reason" in refused.json()["detail"]
    assert "reason" in [each.get("answer") for each in refused.json()["findings"]]
    assert not Change.objects.exists()
    preview = put(secret, f"{address}&dry_run=true", content)
    assert (preview.status_code, preview.json()["state"]) == (200, "previewed")

    accepted = put(secret, f"{address}&reason=Wrong+score+sheet", content)
    assert accepted.json()["state"] == "applied", accepted.content
    assert Change.objects.get().reason == "Wrong score sheet"


def test_file_of_errors_is_refused_with_findings_and_not_stored(desk: Desk) -> None:
    before = uploads()
    answer = put(secret_of(desk.people["arbiter"]), "events/two-teams/file?name=event.json", b"{")

    assert answer.status_code == 422
    assert answer.json()["findings"][0]["level"] == "error"
    assert uploads() == before


def test_file_of_another_event_is_refused(desk: Desk) -> None:
    data = json.dumps(swiss_file()).encode()
    answer = put(secret_of(desk.people["organiser"]), "events/two-teams/file?name=event.json", data)

    assert answer.status_code == 422
    assert "not of “two-teams”" in answer.json()["findings"][0]["text"]


def test_new_event_has_the_slug_of_its_address(desk: Desk) -> None:
    data = json.dumps(swiss_file()).encode()
    created = put(secret_of(desk.people["organiser"]), "events/new-open/file?name=event.json", data).json()

    assert (created["event"], created["url"]) == ("new-open", "http://testserver/events/new-open/")
    assert Event.objects.filter(slug="new-open").exists()


def test_new_event_is_a_draft_that_the_token_may_then_write(desk: Desk) -> None:
    secret = secret_of(desk.people["organiser"], Action.CREATE, Action.FILES, all_events=False)
    slug, content = swiss_file()["event"]["slug"], json.dumps(swiss_file()).encode()
    address = f"events/{slug}/file?name=event.json"
    preview = put(secret, f"{address}&dry_run=true", content).json()
    assert (preview["state"], preview["new"], preview["revision"]) == ("previewed", True, 0)
    assert not Event.objects.filter(slug=slug).exists()

    created = put(secret, address, content).json()
    assert (created["state"], created["new"]) == ("applied", True)
    assert Event.objects.get(slug=slug).state == Event.State.DRAFT
    assert put(secret, f"{address}&dry_run=true", content).status_code == 200


@pytest.mark.parametrize("more", ["", "&dry_run=true"])
def test_token_that_may_only_create_does_not_change_the_event_that_it_created(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, more: str
) -> None:
    secret, content = secret_of(desk.people["organiser"], Action.CREATE), json.dumps(swiss_file())
    # Both files wait at the same time.
    monkeypatch.setattr(files, "wait_for_job", lambda _job, _seconds: None)
    address = "events/new-open/file?name=event.json"
    jobs = [
        put(secret, f"{address}{query}", text.encode()).json()["job"]
        for query, text in (("", content), (more, content.replace("Four Players", "Another Name")))
    ]
    work_off()
    first, second = (Client().get(job, headers={"Authorization": f"Bearer {secret}"}) for job in jobs)
    assert (first.status_code, second.status_code) == (200, 409)
    assert second.json()["changes"] == []
    assert Event.objects.get(slug="new-open").name == swiss_file()["event"]["name"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_next_file_of_a_program_extends_an_event_that_began_with_round_one(desk: Desk, name: str) -> None:
    secret, slug = secret_of(desk.people["organiser"]), name.partition(".")[0]
    facts = f"&state=live&discipline=chess{'' if name.endswith('html') else '&start=2026-05-01'}"
    first, second = (PROGRAMS[name](rounds).replace(b"XXR 3", b"") for rounds in (1, 2))
    address = f"events/{slug}/file?name="
    assert put(secret, f"{address}{name}{facts}", first).json()["state"] == "applied"

    refused = put(secret, f"{address}of-another-program-{name}", second).json()
    assert {each.get("answer") for each in refused["findings"]} >= {"rounds"}
    report = put(secret, f"{address}{name}", second).json()
    assert f"~ event {slug}: planned rounds 1 → 2" in report["changes"]
    assert Event.objects.get(slug=slug).rounds.count() == 2
    answered = put(secret, f"{address}other-{name}&rounds=9", PROGRAMS[name](3).replace(b"XXR 3", b""))
    assert answered.json()["state"] == "applied"
    assert Event.objects.get(slug=slug).planned_rounds == 9


def test_only_organisers_create_events_and_missing_facts_are_named(desk: Desk) -> None:
    arbiter, organiser = secret_of(desk.people["arbiter"]), secret_of(desk.people["organiser"])
    assert put(arbiter, "events/new-open/file?name=list.csv").status_code == 403

    answer = put(organiser, "events/new-open/file?name=list.csv")
    assert answer.status_code == 422
    assert {"start", "discipline"} <= {each.get("answer") for each in answer.json()["findings"]}


def test_file_for_a_lent_event_is_refused_with_its_home(desk: Desk) -> None:
    Event.objects.update(home="Laptop of hall 2")
    answer = put(secret_of(desk.people["arbiter"]), "events/two-teams/file?name=list.csv")

    assert answer.status_code == 409
    assert "Laptop of hall 2" in answer.json()["detail"]


def test_token_to_borrow_creates_no_event(desk: Desk) -> None:
    secret = secret_of(desk.people["organiser"], Action.HOME)
    content = json.dumps(swiss_file()).encode()

    assert put(secret, "events/new-open/file?name=event.json&lent=true", content).status_code == 404
    assert not Event.objects.filter(slug="new-open").exists()
    assert not Job.objects.exists()


def test_file_for_another_revision_is_refused(desk: Desk) -> None:
    secret, revision = secret_of(desk.people["arbiter"]), revision_of(desk.event.pk)
    address = "events/two-teams/file?name=list.csv&dry_run=true"

    assert put(secret, address, if_match=f'"{revision}"').status_code == 200
    assert put(secret, address, if_match=f'"{revision + 1}"').status_code == 412
    assert put(secret, address, if_match="abc").status_code == 422


def test_requests_are_limited(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = secret_of(desk.people["arbiter"])
    address = "events/two-teams/file?name=list.csv"
    assert put(secret, address, b"").status_code == 422
    assert put(secret, f"{address}&resaon=x").status_code == 422
    form = Client().put(f"/api/write/{address}", b"x", "multipart/form-data; boundary=x")
    assert form.status_code == 415

    monkeypatch.setattr("tournaments.interchange.formats.archives.most_bytes", lambda: 5)
    monkeypatch.setattr("tournaments.api.endpoints.most_bytes", lambda: 5)
    assert put(secret, address).status_code == 413

    monkeypatch.undo()
    monkeypatch.setattr(files, "wait_for_job", lambda _job, _seconds: None)
    statuses = [put(secret, address).status_code for _ in range(6)]
    assert statuses == [202] * 5 + [429]
    assert Job.objects.count() == 5
