"""Account management by organisers: invitations, events, closing, limits; and forgotten passwords."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django.fixtures import Settings

from tests.cast import PASSWORD, Desk, browser_of, create_account, give_second_factor
from tests.mailing import send_by
from tournaments.accounts.services import password_links
from tournaments.accounts.services.login_delays import DELAY_RULES
from tournaments.accounts.services.roles import Role, manageable
from tournaments.models import Event, Login, LoginWait, Session

pytestmark = pytest.mark.django_db
INVITE, USERS, FORGOTTEN = "/admin/users/invite/", "/admin/users/", "/admin/password/forgotten/"
NEW = "another long password"


def invite(desk: Desk, by: str = "organiser", **about: Any) -> Any:
    form = {"username": "ines", "role": "Arbiter", "email": "ines@example.org", **about}
    return desk.browser(by).post(INVITE, form)


def link_in(text: Any) -> str:
    found = re.search(r"http://testserver(/admin/\S+?)(?=[\s<]|$)", text)
    assert found, text
    return found[1]


def follow(link: str, password: str = NEW) -> Any:
    """Set a new password at a link and return the response."""
    browser = Client()
    form = browser.get(link, follow=True)
    if not form.context["validlink"]:
        return form
    return browser.post(form.redirect_chain[-1][0], {"new_password1": password, "new_password2": password})


def logs_in(name: str, password: str) -> bool:
    return Client().post("/admin/login/", {"username": name, "password": password}).status_code == 302


def page_of(account: User) -> str:
    return f"{USERS}{account.pk}/"


class TestInvitations:
    def test_mailed_link_sets_the_first_password_once(self, desk: Desk) -> None:
        assert invite(desk, events=[desk.event.pk]).status_code == 302
        ines = User.objects.get(username="ines")
        assert not ines.has_usable_password()
        assert [group.name for group in ines.groups.all()] == [Role.ARBITER]
        assert list(ines.events.all()) == [desk.event]
        (sent,) = mail.outbox
        assert sent.to == ["ines@example.org"]
        assert "14 days" in sent.body
        link = link_in(sent.body)

        assert follow(link, "short").context["form"].errors
        assert follow(link)["Location"] == "/admin/login/"
        assert logs_in("ines", NEW)
        assert "does not work" in follow(link, "a third long password").content.decode()

    def test_token_is_removed_from_the_url(self, desk: Desk) -> None:
        invite(desk)
        link = link_in(mail.outbox[0].body)
        browser = Client()

        assert browser.get(link)["Location"].endswith("/set/")

    def test_organiser_sees_the_link_once_if_there_is_no_mail(self, desk: Desk, settings: Settings) -> None:
        send_by(settings, "dummy")
        page = invite(desk)

        assert page.status_code == 200
        assert "no-store" in page["Cache-Control"]
        assert follow(page.context["link"].removeprefix("http://testserver"))["Location"] == "/admin/login/"

    def test_organiser_sees_the_link_if_the_mail_fails(self, desk: Desk, settings: Settings) -> None:
        send_by(settings, "smtp", EMAIL_HOST="127.0.0.1", EMAIL_PORT=9)
        page = invite(desk).content.decode()

        assert "could not be sent" in page
        assert "/admin/invitation/" in page

    def test_link_expires_after_days_or_with_the_next_link(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        invite(desk)
        first = link_in(mail.outbox[0].body)
        ines = User.objects.get(username="ines")
        desk.browser("organiser").post(page_of(ines), {"act": "link"})
        second = link_in(mail.outbox[1].body)
        assert not Client().get(first, follow=True).context["validlink"]
        assert Client().get(second, follow=True).context["validlink"]
        real = password_links.INVITATIONS._now()
        monkeypatch.setattr(password_links.INVITATIONS, "_now", lambda: real + timedelta(days=14, minutes=1))

        assert not Client().get(second, follow=True).context["validlink"]

    def test_reset_link_is_not_valid_as_invitation(self, desk: Desk) -> None:
        invite(desk)
        link = link_in(mail.outbox[0].body).replace("/invitation/", "/password/")

        assert not Client().get(link, follow=True).context["validlink"]

    @pytest.mark.parametrize("name", ["Anna", "anna", "no blanks", "", "x" * 151])
    def test_taken_and_invalid_names_are_rejected(self, desk: Desk, name: str) -> None:
        response = invite(desk, username=name)

        assert response.context["form"].errors["username"]
        assert not mail.outbox


class TestPermissions:
    """Posts of forms that the page does not offer."""

    def test_organiser_cannot_invite_organisers(self, desk: Desk) -> None:
        assert "role" in invite(desk, role="Organiser").context["form"].errors
        assert not User.objects.filter(username="ines").exists()
        assert invite(desk, by="superuser", role="Organiser").status_code == 302
        assert User.objects.get(username="ines").groups.get().name == Role.ORGANISER

    def test_forged_form_cannot_create_a_superuser(self, desk: Desk) -> None:
        invite(desk, is_superuser="on", is_staff="on", groups="1", user_permissions="1")
        ines = User.objects.get(username="ines")

        assert not ines.is_superuser
        assert not ines.user_permissions.exists()

    @pytest.mark.parametrize("act", ["close", "open", "factor", "link", "", "email"])
    @pytest.mark.parametrize("whose", ["superuser", "second", "closed", "himself"])
    def test_users_cannot_manage_equal_or_higher_roles(self, desk: Desk, act: str, whose: str) -> None:
        second = create_account("otis", Role.ORGANISER)
        closed = create_account("olaf", Role.ORGANISER, is_active=False)
        accounts = {**desk.people, "second": second, "closed": closed, "himself": desk.people["organiser"]}
        account = accounts[whose]
        if whose != "himself":
            give_second_factor(account)
        browser = desk.browser("organiser")
        before = User.objects.filter(pk=account.pk).values().get()
        response = browser.post(page_of(account), {"act": act, "email": "mine@example.org"})

        assert response.status_code == 404
        assert User.objects.filter(pk=account.pk).values().get() == before
        assert TOTPDevice.objects.filter(user=account).exists() == (whose != "himself")
        assert not mail.outbox

    @pytest.mark.parametrize("act", ["close", "open", "factor", "link", ""])
    def test_arbiter_cannot_manage_users(self, desk: Desk, act: str) -> None:
        other = desk.people["other"]
        response = desk.browser("arbiter").post(page_of(other), {"act": act, "events": [desk.event.pk]})

        assert response.status_code == 403
        other.refresh_from_db()
        assert other.is_active
        assert list(other.events.all()) == [desk.other_event]

    def test_superuser_manages_organisers_but_not_the_own_account(self, desk: Desk) -> None:
        superuser = desk.people["superuser"]
        desk.browser("superuser").post(page_of(desk.people["organiser"]), {"act": "close"})

        assert not User.objects.get(username="otto").is_active
        assert superuser not in manageable(superuser)

    def test_completed_or_unknown_events_cannot_be_assigned(self, desk: Desk) -> None:
        Event.objects.filter(pk=desk.event.pk).update(state=Event.State.ARCHIVED)
        other = desk.people["other"]
        for forged in (desk.event.pk, 0, "x", "9" * 300):
            desk.browser("organiser").post(page_of(other), {"events": [forged]})

        assert list(other.events.all()) == [desk.other_event]


class TestManaging:
    def test_assignment_of_events_is_recorded(self, desk: Desk) -> None:
        other = desk.people["other"]
        desk.browser("organiser").post(page_of(other), {"events": [desk.event.pk]})

        assert list(other.events.all()) == [desk.event]
        page = desk.browser("organiser").get(page_of(other)).content.decode()
        assert "otto: Made arbiter of two-teams." in page
        assert "otto: No arbiter of two-players any more." in page
        assert desk.event.history.first().history_user == desk.people["organiser"]

    def test_closing_ends_sessions_and_links(self, desk: Desk) -> None:
        arbiter = desk.people["arbiter"]
        browser = browser_of(arbiter)
        desk.browser("organiser").post(page_of(arbiter), {"act": "link"})
        desk.browser("organiser").post(page_of(arbiter), {"act": "close"})

        assert browser.get("/admin/").status_code == 302
        assert not logs_in("anna", PASSWORD)
        desk.browser("organiser").post(page_of(arbiter), {"act": "open"})
        LoginWait.objects.all().delete()
        assert logs_in("anna", PASSWORD)

    def test_reset_of_the_second_factor_ends_sessions(self, desk: Desk) -> None:
        arbiter = desk.people["arbiter"]
        give_second_factor(arbiter)
        browser_of(arbiter)
        desk.browser("organiser").post(page_of(arbiter), {"act": "factor"})

        assert not TOTPDevice.objects.filter(user=arbiter).exists()
        assert not Session.objects.filter(user=arbiter).exists()

    def test_list_links_to_accounts_that_may_be_managed(self, desk: Desk) -> None:
        rows = desk.browser("organiser").get(USERS).context["rows"]

        assert {each["user"].username for each in rows if each["may_manage"]} == {"anna", "olga"}
        assert {each["user"].username for each in rows} == {"anna", "olga", "otto", "sara"}


class TestForgotten:
    @pytest.fixture(autouse=True)
    def sent(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[Any]]]:
        """Wait for the threads that send mail, and return the mails. No thread outlives its test."""
        sending = list[Thread]()

        class NotedThread(Thread):
            def start(self) -> None:
                sending.append(self)
                super().start()

        def wait() -> list[Any]:
            for each in sending:
                each.join(60)
                assert not each.is_alive(), "a mail was not sent within a minute"
            return list(mail.outbox)

        monkeypatch.setattr(password_links, "Thread", NotedThread)
        yield wait
        wait()

    @pytest.fixture
    def anna(self, db: None) -> User:
        return create_account("anna", Role.ARBITER, email="anna@example.org")

    @pytest.mark.parametrize("name", ["anna", "Anna@Example.org"])
    def test_mailed_link_sets_a_password_and_ends_sessions(
        self, anna: User, sent: Callable[[], list[Any]], name: str
    ) -> None:
        session = browser_of(anna)
        Client().post(FORGOTTEN, {"name": name})
        (letter,) = sent()

        assert follow(link_in(letter.body))["Location"] == "/admin/login/"
        assert session.get("/admin/").status_code == 302
        assert logs_in("anna", NEW)
        assert not logs_in("anna", PASSWORD)

    def test_new_password_still_requires_the_second_factor(
        self, anna: User, sent: Callable[[], list[Any]]
    ) -> None:
        give_second_factor(anna)
        Client().post(FORGOTTEN, {"name": "anna"})
        follow(link_in(sent()[0].body))
        browser = Client()
        browser.post("/admin/login/", {"username": "anna", "password": NEW})

        assert browser.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/admin/second-factor/")

    def test_response_does_not_reveal_whether_a_name_exists(self, anna: User) -> None:
        pages = [
            Client().post(FORGOTTEN, {"name": name}).content for name in ("anna", "nobody", "closed@x.org")
        ]
        without_tokens = {re.sub(rb'value="\w{64}"', b"", page) for page in pages}

        assert len(without_tokens) == 1

    def test_link_expires_after_two_hours(
        self, anna: User, sent: Callable[[], list[Any]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Client().post(FORGOTTEN, {"name": "anna"})
        link = link_in(sent()[0].body)
        real = password_links.RESETS._now()
        monkeypatch.setattr(password_links.RESETS, "_now", lambda: real + timedelta(hours=2, minutes=1))

        assert not Client().get(link, follow=True).context["validlink"]

    @pytest.mark.usefixtures("stopped_time")
    def test_requests_are_limited_without_delaying_logins(self, anna: User) -> None:
        free = DELAY_RULES["pair"].free
        responses = [Client().post(FORGOTTEN, {"name": "anna"}).status_code for _ in range(free + 1)]

        assert responses == [200] * free + [429]
        assert Login.objects.filter(step=Login.Step.RESET).count() == free
        assert logs_in("anna", PASSWORD)

    def test_page_without_mail_refers_to_an_organiser(self, anna: User, settings: Settings) -> None:
        send_by(settings, "dummy")
        page = Client().get(FORGOTTEN).content.decode()

        assert "Ask an organiser" in page
        assert 'name="name"' not in page
        assert Client().post(FORGOTTEN, {"name": "anna"}).status_code == 200
        assert not Login.objects.exists()
