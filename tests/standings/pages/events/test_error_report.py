"""Error reports of readers: accepted and refused forms, and the queue at the desk."""

import re
from collections.abc import Iterator
from unittest.mock import patch

import pytest
from django.core import mail
from django.test import Client
from pytest_django.fixtures import Settings

from standings.pages.events.error_report import SIGNER
from tests.cast import browser_of, create_account, create_player_event
from tests.mailing import send_by
from tournaments.accounts.services.roles import Role
from tournaments.models import ErrorReport, Event
from tournaments.operations.upkeep.housekeeping import chores
from tournaments.recording.events.error_reports import MOST_A_MINUTE, open_reports

pytestmark = pytest.mark.django_db(transaction=True)

FORM = "/events/two-players/report/"
PAGE = "/nl/events/two-players/standings/?sort=name"


@pytest.fixture
def event() -> Event:
    return create_player_event()


@pytest.fixture(autouse=True)
def _time_to_write() -> Iterator[None]:
    with patch("standings.pages.events.error_report.SOONEST", -1):
        yield


def sent(client: Client, event: Event, **given: str) -> int:
    """Submit the form and return the status."""
    usual = {"text": "Bea won.", "page": PAGE, "revision": "1", "opened": SIGNER.sign(str(event.pk))}
    return client.post(FORM, {**usual, **given}).status_code


def test_link_on_every_page_fills_in_the_page_and_its_revision(event: Event, client: Client) -> None:
    page = client.get("/events/two-players/standings/?sort=name").content.decode()
    found = re.search(r'href="(/events/two-players/report/[^"]+)"', page)
    assert found
    form = client.get(found[1].replace("&amp;", "&"))
    assert not form.cookies
    text = form.content.decode()
    assert 'name="page" value="/events/two-players/standings/?sort=name"' in text
    assert re.search(r'name="revision" value="\d+"', text)
    assert form.headers["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"


def test_report_is_stored_with_its_page_and_revision(event: Event) -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(
        FORM,
        {
            "text": " <b>Bea</b> won. ",
            "address": "reader@example.org",
            "page": PAGE,
            "revision": "1",
            "opened": SIGNER.sign(str(event.pk)),
        },
        REMOTE_ADDR="192.0.2.77",
    )
    assert (answer.status_code, answer.cookies) == (302, {})
    report = ErrorReport.objects.get()
    assert (report.page, report.revision, report.text) == (PAGE, 1, "<b>Bea</b> won.")
    assert (report.address, report.network) == ("reader@example.org", "192.0.2.0/24")
    assert "Thank you." in client.get(answer["Location"]).content.decode()


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"text": " "}, 422),
        ({"text": "x" * 2001}, 422),
        ({"address": "nobody"}, 422),
        ({"opened": "1:forged"}, 409),
        ({"website": "https://spam.example/"}, 302),
    ],
)
def test_invalid_reports_are_refused(
    event: Event, client: Client, given: dict[str, str], status: int
) -> None:
    assert sent(client, event, **given) == status
    assert not ErrorReport.objects.exists()


def test_form_sent_too_fast_is_refused(event: Event, client: Client) -> None:
    with patch("standings.pages.events.error_report.SOONEST", 2):
        assert sent(client, event) == 409


def test_form_of_another_event_or_site_is_refused(event: Event, client: Client) -> None:
    assert sent(client, event, opened=SIGNER.sign("0")) == 409
    strange = Client(headers={"sec-fetch-site": "cross-site"})
    assert sent(strange, event) == 403
    assert not ErrorReport.objects.exists()


def test_refused_form_keeps_the_text(event: Event, client: Client) -> None:
    page = client.post(FORM, {"text": "Bea <won>.", "address": "x", "page": PAGE}).content.decode()
    assert "Bea &lt;won&gt;.</textarea>" in page
    assert f'href="{PAGE}"' in page


@pytest.mark.parametrize(
    "page", ["https://elsewhere.example/", "//elsewhere.example/", "/admin/", "/events/other/"]
)
def test_foreign_page_is_replaced_by_the_overview(event: Event, client: Client, page: str) -> None:
    assert sent(client, event, page=page) == 302
    assert ErrorReport.objects.get().page == "/events/two-players/"


def test_duplicates_count_once_and_reports_are_limited(event: Event, client: Client) -> None:
    assert [sent(client, event) for _ in range(2)] == [302, 302]
    assert ErrorReport.objects.count() == 1
    others = [sent(client, event, text=f"Wrong: {number}") for number in range(MOST_A_MINUTE)]
    assert others == [302] * (MOST_A_MINUTE - 1) + [429]
    with patch("tournaments.recording.events.error_reports.MOST_OPEN", 5):
        ErrorReport.objects.update(network="")
        assert sent(client, event, text="One more") == 409


@pytest.mark.parametrize(("state", "status"), [("draft", 404), ("removed", 410)])
def test_draft_event_has_no_form(event: Event, client: Client, state: str, status: int) -> None:
    Event.objects.update(state=state)
    assert client.get(FORM).status_code == sent(client, event) == status


class TestDesk:
    @pytest.fixture
    def report(self, event: Event) -> ErrorReport:
        event.arbiters.add(create_account("ann", Role.ARBITER))
        return ErrorReport.objects.create(
            event=event,
            page=PAGE,
            revision=1,
            text="<b>Bea</b> won.",
            address="reader@example.org",
            network="x",
        )

    def browser(self, event: Event) -> Client:
        return browser_of(event.arbiters.get())

    def test_staff_of_the_event_see_the_report(self, event: Event, report: ErrorReport) -> None:
        browser = self.browser(event)
        for address in ("/admin/", f"/admin/events/{event.pk}/"):
            assert "1 error report" in browser.get(address).content.decode()
        screen = browser.get(f"/admin/events/{event.pk}/error-reports/").content.decode()
        assert "&lt;b&gt;Bea&lt;/b&gt; won." in screen
        assert f'href="{PAGE}"' in screen
        assert "it may be mended already" in screen

    def test_other_users_do_not_see_the_report(self, event: Event, report: ErrorReport) -> None:
        other = browser_of(create_account("bob", Role.ARBITER))
        for address in ("error-reports/", f"error-reports/{report.pk}/"):
            assert other.post(f"/admin/events/{event.pk}/{address}", {"state": "done"}).status_code == 404
        elsewhere = create_player_event("elsewhere")
        mine = f"/admin/events/{elsewhere.pk}/error-reports/{report.pk}/"
        elsewhere.arbiters.add(event.arbiters.get())
        assert self.browser(event).post(mine, {"state": "done"}).status_code == 404
        report.refresh_from_db()
        assert report.state == "open"

    def test_answer_is_sent_by_mail(self, event: Event, report: ErrorReport, settings: Settings) -> None:
        address = f"/admin/events/{event.pk}/error-reports/{report.pk}/"
        self.browser(event).post(address, {"answer": "You are right."})
        (letter,) = mail.outbox
        assert letter.to == ["reader@example.org"]
        assert "You are right." in letter.body
        assert "<b>Bea</b> won." in letter.body
        report.refresh_from_db()
        assert (report.state, report.answer, report.by) == (
            "answered",
            "You are right.",
            event.arbiters.get(),
        )
        send_by(settings, "dummy")
        ErrorReport.objects.update(state="open")
        assert (
            "the site sends no email" in self.browser(event).post(address, {"answer": "x"}).content.decode()
        )

    def test_report_can_be_closed_and_reopened(self, event: Event, report: ErrorReport) -> None:
        address = f"/admin/events/{event.pk}/error-reports/{report.pk}/"
        for state, waiting in (("done", {}), ("open", {event.pk: 1}), ("nonsense", {event.pk: 1})):
            self.browser(event).post(address, {"state": state})
            assert open_reports([event]) == waiting

    def test_housekeeping_removes_the_address(self, report: ErrorReport, settings: Settings) -> None:
        settings.KEEP_LOGINS_DAYS = -1
        chore = next(each for each in chores() if "error reports" in each.about)
        assert [chore.do(dry_run=dry) for dry in (True, False, False)] == [1, 1, 0]
        report.refresh_from_db()
        assert (report.address, report.network, report.text) == ("", "", "<b>Bea</b> won.")
