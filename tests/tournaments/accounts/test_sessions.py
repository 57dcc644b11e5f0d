"""Sessions of a user: the list, ending one or all others, and password changes."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.cast import PASSWORD, create_account
from tournaments.accounts.services.roles import Role
from tournaments.accounts.services.sessions import device_name, shorten_address
from tournaments.models import Session

pytestmark = pytest.mark.django_db
ACCOUNT, INDEX = "/admin/account/", "/admin/"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1"
LAPTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


def browser(agent: str, name: str = "anna") -> Client:
    client = Client(REMOTE_ADDR="192.0.2.7", headers={"User-Agent": agent})
    client.post("/admin/login/", {"username": name, "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get(INDEX).status_code == 200


def marks_in(page: Any) -> dict[str, str]:
    """Return the identifier that ends the session, by device."""
    return {each["device"]: each["form_value"] for each in page.context["rows"]}


class TestTheList:
    def test_list_has_device_network_and_times(self, anna: User) -> None:
        laptop = browser(LAPTOP)
        browser(PHONE)
        page = laptop.get(ACCOUNT)
        text = page.content.decode()

        assert [(each["device"], each["is_current"]) for each in page.context["rows"]] == [
            ("Safari, iPhone", False),
            ("Firefox, Windows", True),
        ]
        assert "192.0.…" in text
        assert "192.0.2.7" not in text
        assert not re.search("|".join(Session.objects.values_list("session_key", flat=True)), text)

    def test_list_has_only_active_sessions_of_the_user(self, anna: User) -> None:
        create_account("olga", Role.ARBITER)
        browser(PHONE, "olga")
        browser(PHONE)
        Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))

        assert len(browser(LAPTOP).get(ACCOUNT).context["rows"]) == 1

    def test_last_seen_is_updated_every_few_minutes(
        self, anna: User, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        laptop = browser(LAPTOP)
        before = timezone.now() - timedelta(minutes=6)
        Session.objects.update(seen=before)
        laptop.get(ACCOUNT)
        seen = Session.objects.get().seen
        assert seen > before
        laptop.get(ACCOUNT)
        assert Session.objects.get().seen == seen

    @pytest.mark.parametrize(
        ("agent", "name"),
        [
            (PHONE, "Safari, iPhone"),
            (LAPTOP, "Firefox, Windows"),
            ("(X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge, Linux"),
            ("(Linux; Android 10; K) Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome, Android"),
            ("curl/8.5", "a program"),
            ("", "a program"),
        ],
    )  # fmt: skip
    def test_user_agent_is_shown_as_browser_and_system(self, agent: str, name: str) -> None:
        assert device_name(agent) == name

    @pytest.mark.parametrize(
        ("address", "shortened"), [("192.0.2.7", "192.0.…"), ("2001:db8:1:2::4", "2001:db8:…"), (None, "")]
    )
    def test_ip_address_is_shortened(self, address: str | None, shortened: str) -> None:
        assert shorten_address(address) == shortened


class TestEnding:
    def test_single_session_can_be_ended(self, anna: User) -> None:
        laptop, phone = browser(LAPTOP), browser(PHONE)
        laptop.post(ACCOUNT, {"end": marks_in(laptop.get(ACCOUNT))["Safari, iPhone"]})

        assert (is_in(laptop), is_in(phone)) == (True, False)

    def test_all_other_sessions_can_be_ended(self, anna: User) -> None:
        laptop, others = browser(LAPTOP), [browser(PHONE), browser(PHONE)]
        laptop.post(ACCOUNT, {"end": "others"})

        assert [is_in(laptop), *map(is_in, others)] == [True, False, False]

    def test_ending_the_current_session_logs_out(self, anna: User) -> None:
        laptop = browser(LAPTOP)
        response = laptop.post(ACCOUNT, {"end": marks_in(laptop.get(ACCOUNT))["Firefox, Windows"]})

        assert response["Location"] == "/admin/login/"
        assert not is_in(laptop)

    def test_session_of_another_user_cannot_be_ended(self, anna: User) -> None:
        create_account("olga", Role.ARBITER)
        theirs = browser(PHONE, "olga")
        laptop = browser(LAPTOP)
        for forged in (
            *marks_in(theirs.get(ACCOUNT)).values(),
            "",
            "x" * 5_000,
            Session.objects.filter(user__username="olga").get().pk,
        ):
            laptop.post(ACCOUNT, {"end": forged})

        assert is_in(theirs)

    def test_password_change_ends_all_other_sessions(self, anna: User) -> None:
        laptop, phone = browser(LAPTOP), browser(PHONE)
        new = "another long password"
        laptop.post(
            "/admin/password_change/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
        )

        assert (is_in(laptop), is_in(phone)) == (True, False)
        assert Session.objects.count() == 1
