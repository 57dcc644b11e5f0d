"""Permissions of tokens: every address with every kind of token; errors and the OpenAPI document."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from standings.management.commands.work import work_off
from tests.cast import PASSWORD, Desk, browser_of, create_desk
from tournaments.accounts.models import ApiToken
from tournaments.accounts.services.password_links import RESETS, path_of_link
from tournaments.accounts.services.tokens import create_token, revoke_token
from tournaments.api import endpoints, files
from tournaments.api.endpoints import api
from tournaments.models import Event, Job, Round

pytestmark = pytest.mark.django_db

Action = ApiToken.Action
RESULTS = "/events/two-teams/rounds/1/results"
RESULT = {"result": "1-0", "version": 1}
BODIES: dict[str, Any] = {
    "/events/{slug}/rounds/{number}/results": {"results": []},
    "/events/{slug}/rounds/{number}/results/{table}": RESULT,
    "/events/{slug}/rounds/{number}/results/{table}/{board}": RESULT,
}
PARTS = {"slug": "two-teams", "number": "1", "table": "1", "board": "1"}
ACTIONS = {
    "results": Action.RESULTS, "files": Action.FILES, "home": Action.HOME, "boards": Action.BOARDS,
}  # fmt: skip


@pytest.fixture
def desk(db: None, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(files, "wait_for_job", lambda _job, _seconds: None)
    return create_desk()


def token_for(account: Any, *actions: Action, events: Any = None, ends: Any = None) -> tuple[ApiToken, str]:
    return create_token(
        account,
        {
            "name": "laptop",
            "actions": list(actions),
            "all_events": events is None,
            "events": events or [],
            "ends": ends,
        },
    )


def operations() -> list[tuple[str, str, str]]:
    """Return method, path and tag of every operation of the OpenAPI document."""
    document = json.loads(json.dumps(api.get_openapi_schema()))
    return [
        (method, path.removeprefix("/api/write"), operation["tags"][0])
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def send(secret: str, method: str, path: str) -> Any:
    headers = {"Idempotency-Key": str(uuid4())} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    kind, body, query = "application/json", json.dumps(BODIES.get(path, {})), ""
    if path.endswith("/file"):
        kind, body, query = "application/octet-stream", "Snr;Speler\n1;Reds\n", "?name=list.csv"
    elif path.endswith("/boards"):
        kind, body = "application/vnd.chess-pgn", '[White "Reds 1"]\n[Black "Blues 1"]\n\n1. e4 *\n'
    address = f"/api/write{path.format(**PARTS)}{query}"
    return Client(enforce_csrf_checks=True).generic(method.upper(), address, body, kind, headers=headers)


def test_every_address_with_every_kind_of_token(desk: Desk) -> None:
    people, today = desk.people, datetime.now(UTC).date()
    every = tuple(Action)
    revoked, revoked_secret = token_for(people["arbiter"], *every)
    revoke_token(people["arbiter"], revoked)
    refused = {
        "none": ("", 401),
        "unknown": ("ct_unknown", 401),
        "revoked": (revoked_secret, 401),
        "ended": (token_for(people["arbiter"], *every, ends=today - timedelta(days=1))[1], 401),
        "of another event": (token_for(people["organiser"], *every, events=[desk.other_event])[1], 403),
        "of another arbiter": (token_for(people["other"], *every)[1], 404),
    }
    found = operations()
    assert len(found) >= 6
    for method, path, tag in found:
        of_event = path.startswith("/events/")
        for name, (secret, expected) in refused.items():
            if expected != 401 and not of_event:
                continue
            answer = send(secret, method, path)
            # A file could be that of a new event, which an arbiter may not create.
            status = 403 if expected == 404 and path.endswith("/file") else expected
            assert (method, path, name, answer.status_code) == (method, path, name, status)
            assert answer["Content-Type"] == "application/problem+json"
            assert json.loads(answer.content)["status"] == status
            assert ("WWW-Authenticate" in answer) == (status == 401)
        if of_event:
            others = [each for each in Action if each != ACTIONS[tag]]
            answer = send(token_for(people["arbiter"], *others)[1], method, path)
            assert (path, answer.status_code) == (path, 403)
            assert f"lacks the action “{ACTIONS[tag]}”" in json.loads(answer.content)["detail"]
            account = people["organiser" if tag == "home" else "arbiter"]  # only organisers lend an event
            right = token_for(account, ACTIONS[tag], events=[desk.event], ends=today)[1]
            assert (path, send(right, method, path).status_code) not in {(path, 401), (path, 403)}


def test_closed_account_and_lost_permission_end_the_token(desk: Desk) -> None:
    arbiter = desk.people["arbiter"]
    secret = token_for(arbiter, Action.RESULTS)[1]
    assert send(secret, "get", RESULTS).status_code == 200
    desk.event.arbiters.remove(arbiter)
    assert send(secret, "get", RESULTS).status_code == 404
    arbiter.is_active = False
    arbiter.save()
    assert send(secret, "get", RESULTS).status_code == 401


def close_account(desk: Desk, address: str) -> None:
    desk.browser("organiser").post(address, {"act": "close"})
    desk.browser("organiser").post(address, {"act": "open"})  # does not renew a token


def close_in_admin(desk: Desk, _address: str) -> None:
    arbiter = desk.people["arbiter"]
    form = {"username": arbiter.username, "is_staff": "on", "totpdevice_set-INITIAL_FORMS": "0"}
    desk.browser("superuser").post(
        f"/admin/auth/user/{arbiter.pk}/change/", {**form, "totpdevice_set-TOTAL_FORMS": "0"}
    )
    arbiter.refresh_from_db()
    assert not arbiter.is_active
    User.objects.update(is_active=True)


def remove_factor(desk: Desk, address: str) -> None:
    desk.browser("organiser").post(address, {"act": "factor"})


def set_password_in_admin(desk: Desk, _address: str) -> None:
    words = dict.fromkeys(("password1", "password2"), "another long password")
    desk.browser("superuser").post(f"/admin/auth/user/{desk.people['arbiter'].pk}/password/", words)


def set_password_by_link(desk: Desk, _address: str) -> None:
    client = Client()
    path = client.get(path_of_link(desk.people["arbiter"], RESETS))["Location"]
    client.post(path, dict.fromkeys(("new_password1", "new_password2"), "another long password"))


@pytest.mark.parametrize(
    "change", [close_account, close_in_admin, remove_factor, set_password_in_admin, set_password_by_link]
)
def test_changes_after_a_stolen_password_revoke_tokens(
    desk: Desk, change: Callable[[Desk, str], None]
) -> None:
    token, secret = token_for(desk.people["arbiter"], Action.RESULTS)
    other = token_for(desk.people["other"], Action.RESULTS)[0]
    change(desk, f"/admin/users/{desk.people['arbiter'].pk}/")
    assert send(secret, "get", RESULTS).status_code == 401
    assert list(ApiToken.objects.filter(revoked=None)) == [other]
    token.refresh_from_db()
    assert token.revoked


@pytest.mark.parametrize("path", ["/events/{slug}/boards", "/events/{slug}/file"])
def test_waiting_file_of_a_revoked_token_is_refused(desk: Desk, path: str) -> None:
    token, secret = token_for(desk.people["arbiter"], Action.BOARDS, Action.FILES)
    assert send(secret, "put", path).status_code == 202
    revoke_token(desk.people["arbiter"], token)
    work_off()
    job = Job.objects.get()
    assert (job.state, job.failure) == (Job.State.FAILED, "PermissionError")


def test_own_change_of_the_password_keeps_tokens_and_lists_them(desk: Desk) -> None:
    secret = token_for(desk.people["arbiter"], Action.RESULTS)[1]
    new = dict.fromkeys(("new_password1", "new_password2"), "another long password")
    browser = desk.browser("arbiter")
    page = browser.post("/admin/password_change/", {"old_password": PASSWORD, **new}, follow=True)
    assert "Your API tokens still work." in page.content.decode()
    assert send(secret, "get", RESULTS).status_code == 200


def test_token_of_a_deleted_event_is_refused(desk: Desk) -> None:
    secret = token_for(desk.people["organiser"], Action.RESULTS, events=[desk.other_event])[1]
    desk.other_event.delete()
    assert send(secret, "get", RESULTS).status_code == 403


def test_session_of_a_browser_does_not_count(desk: Desk) -> None:
    browser = browser_of(desk.people["superuser"])
    assert browser.get(f"/api/write{RESULTS}").status_code == 401
    assert browser.put(f"/api/write{RESULTS}", "{}", "application/json").status_code == 401


def test_response_describes_the_token(desk: Desk) -> None:
    ends = datetime.now(UTC).date()
    token, secret = token_for(desk.people["arbiter"], Action.FILES, events=[desk.event], ends=ends)
    answer = send(secret, "get", "/token")

    assert (answer.json(), answer["Cache-Control"]) == (
        {
            "name": "laptop",
            "account": "anna",
            "actions": ["files"],
            "events": ["two-teams"],
            "ends": ends.isoformat(),
        },
        "no-store",
    )
    token.refresh_from_db()
    assert token.last_used is not None
    assert secret not in str(ApiToken.objects.values())
    assert secret not in str(LogEntry.objects.values())


def test_every_error_is_problem_details(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = token_for(desk.people["arbiter"], *Action)[1]
    bearer = {"Authorization": f"Bearer {secret}"}
    client = Client(headers=bearer)
    results = f"/api/write{RESULTS}"

    def put(body: str, kind: str = "application/json") -> Any:
        return client.put(results, body, kind)

    monkeypatch.setattr(endpoints, "MOST_JSON_BYTES", 300)
    answers = {
        400: put("{"),
        404: client.get("/api/write/nowhere"),
        405: client.delete(results),
        413: put(json.dumps({"results": ["x" * 300]})),
        415: put("{}", "text/plain"),
        422: put('{"results": [{"table": 0}]}'),
    }
    for status, answer in answers.items():
        assert answer.status_code == status
        assert answer["Content-Type"] == "application/problem+json"
        told = answer.json()
        assert {"type", "title", "status", "detail"} <= told.keys()
        assert told["status"] == status
    assert set(answers[405]["Allow"].split(", ")) == {"GET", "PUT"}
    assert "body.body.results.0.table" in [each["place"] for each in answers[422].json()["findings"]]
    for path in ("/events/nothing/rounds/1/results", "/events/two-teams/rounds/9/results", "/token/"):
        assert send(secret, "get", path).status_code == 404
    assert Client(enforce_csrf_checks=True).post("/api/write/nowhere").status_code == 404
    assert Client().options(results).status_code == 405
    assert "Access-Control-Allow-Origin" not in answers[404]


def test_requests_of_a_token_are_throttled(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, other = (token_for(desk.people["arbiter"], Action.RESULTS)[1] for _ in range(2))
    limit = 3
    for view in api._get_bound_routers():
        for operation in (each for path in view.path_operations.values() for each in path.operations):
            for throttle in operation.throttle_objects:
                monkeypatch.setattr(throttle, "num_requests", limit)
    statuses = [send(secret, "get", RESULTS).status_code for _ in range(limit + 1)]
    assert statuses == [200] * limit + [429]
    refused = send(secret, "get", RESULTS)
    assert int(refused["Retry-After"]) > 0
    assert refused["Content-Type"] == "application/problem+json"
    assert send(other, "get", RESULTS).status_code == 200


def test_openapi_document_describes_every_operation(client: Client) -> None:
    answer = client.get("/api/write/openapi.json")
    document = json.loads(answer.content)

    assert document["components"]["securitySchemes"]["ApiTokenBearer"] == {"type": "http", "scheme": "bearer"}
    names = [each["operationId"] for methods in document["paths"].values() for each in methods.values()]
    assert len(names) == len(set(names))
    for methods in document["paths"].values():
        for operation in methods.values():
            assert operation["security"] == [{"ApiTokenBearer": []}]
            assert operation["summary"]
            for status, response in operation["responses"].items():
                kind = "application/json" if int(status) < 400 else "application/problem+json"
                assert list(response["content"]) == [kind]
    index = client.get("/api/").json()
    assert "/api/write/openapi.json" in [each["path"] for each in index["endpoints"]]


class TestDesk:
    def test_secret_is_shown_once(self, desk: Desk) -> None:
        browser = desk.browser("arbiter")
        sent = {"name": "hall", "actions": ["results"], "events": [desk.event.pk], "ends": "2099-12-31"}
        page = browser.post("/admin/api-tokens/", sent)
        token = ApiToken.objects.get()

        secret = page.context["secret"]
        assert secret in page.content.decode()
        assert "no-store" in page["Cache-Control"]
        assert secret not in browser.get("/admin/api-tokens/").content.decode()
        assert send(secret, "get", RESULTS).status_code == 200
        assert [*token.events.all()] == [desk.event]
        logged = LogEntry.objects.latest("pk")
        assert (logged.user, logged.object_id) == (desk.people["arbiter"], str(desk.people["arbiter"].pk))

    def test_token_needs_events_of_the_account(self, desk: Desk) -> None:
        browser = desk.browser("arbiter")
        for events in ([], [desk.other_event.pk]):
            sent = {"name": "hall", "actions": ["results"], "events": events}
            assert browser.post("/admin/api-tokens/", sent).context["form"].errors
        assert not ApiToken.objects.exists()

    def test_valid_tokens_have_different_names(self, desk: Desk) -> None:
        """An event is lent to the name of a token."""
        token, browser = token_for(desk.people["other"], Action.HOME)[0], desk.browser("arbiter")
        sent = {"name": token.name, "actions": ["results"], "events": [desk.event.pk]}
        assert "name" in browser.post("/admin/api-tokens/", sent).context["form"].errors
        ApiToken.objects.filter(pk=token.pk).update(revoked=timezone.now())
        assert browser.post("/admin/api-tokens/", sent).context["secret"]

    def test_user_revokes_own_tokens_and_a_superuser_all(self, desk: Desk) -> None:
        token, secret = token_for(desk.people["arbiter"], Action.RESULTS)
        own, sent = token_for(desk.people["other"], Action.RESULTS)[0], {"revoke": str(token.pk)}
        for name in ("other", "organiser"):
            assert desk.browser(name).post("/admin/api-tokens/", sent).status_code == 404
            assert "anna" not in str(desk.browser(name).get("/admin/api-tokens/").context["tokens"])
        assert send(secret, "get", RESULTS).status_code == 200
        page = desk.browser("superuser").get("/admin/api-tokens/")
        assert {each.pk for each in page.context["tokens"]} == {token.pk, own.pk}
        desk.browser("superuser").post("/admin/api-tokens/", sent)
        assert send(secret, "get", RESULTS).status_code == 401
        desk.browser("other").post("/admin/api-tokens/", {"revoke": str(own.pk)})
        assert not ApiToken.objects.filter(revoked=None).exists()


def test_draft_round_has_no_results(desk: Desk) -> None:
    secret = token_for(desk.people["arbiter"], Action.RESULTS)[1]
    Round.objects.filter(event=desk.event, number=1).update(state=Round.State.DRAFT)
    assert send(secret, "get", RESULTS).json()["results"] == []
    assert Event.objects.get(pk=desk.event.pk).rounds.count() == 2
