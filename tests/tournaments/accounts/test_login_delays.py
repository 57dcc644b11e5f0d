"""Login attempts are delayed by address and name, except for users who have logged in before."""

from collections.abc import Iterator
from datetime import timedelta
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.contrib.auth.hashers import Argon2PasswordHasher, get_hasher
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.fixtures import Settings

from config.settings import PASSWORD_HASHERS
from config.trace.addresses import client_address, network_of
from tests.cast import PASSWORD, create_account, give_second_factor
from tournaments.accounts.services import login_delays
from tournaments.accounts.services.login_delays import DELAY_RULES, DelayRule, normalise_name
from tournaments.accounts.services.roles import Role
from tournaments.models import Login, LoginWait

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_time")]
LOGIN, CODE = "/admin/login/", "/admin/second-factor/"
WRONG = "guessed"
HALL, ELSEWHERE = "192.0.2.7", "203.0.113.9"
PAIR_FREE, NETWORK_FREE, NAME_FREE = (DELAY_RULES[each].free for each in ("pair", "network", "name"))


def try_login(name: str = "anna", password: str = WRONG, *, by: Client | None = None, at: str = HALL) -> Any:
    """Try to log in and return the response; without `by`, in a new browser."""
    client = by or Client()
    return client.post(LOGIN, {"username": name, "password": password, "next": "/admin/"}, REMOTE_ADDR=at)


def later(seconds: int) -> None:
    """Let time pass for all waits."""
    for wait in LoginWait.objects.all():
        wait.last -= timedelta(seconds=seconds)
        wait.free_at = wait.free_at and wait.free_at - timedelta(seconds=seconds)
        wait.save()


def address(number: int) -> str:
    return f"198.51.{number // 250}.{number % 250 + 1}"


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0), (4, 0), (5, 1), (6, 2), (8, 8), (11, 60), (5_000, 60)]
)
def test_wait_doubles_up_to_a_maximum(failures: int, seconds: int) -> None:
    assert DelayRule(5, 60).seconds(failures) == seconds


class TestWaits:
    def test_response_has_the_wait_in_text_and_header(self, anna: User) -> None:
        for _ in range(PAIR_FREE):
            assert try_login().status_code == 200
        response = try_login(password=PASSWORD)

        assert (response.status_code, response["Retry-After"]) == (429, "1")
        page = response.content.decode()
        assert "You can try again in 1 second." in page
        assert 'name="password"' in page
        assert "js/wait.js" in page

    def test_login_after_the_wait_resets_the_failures(self, anna: User) -> None:
        for _ in range(PAIR_FREE + 1):
            try_login()
        later(2)

        assert try_login(password=PASSWORD).status_code == 302
        assert not LoginWait.objects.filter(key__startswith="pair:").exists()

    def test_early_attempt_does_not_extend_the_wait(self, anna: User) -> None:
        responses = [try_login() for _ in range(PAIR_FREE + 10)]

        assert responses[-1]["Retry-After"] == "1"
        assert Login.objects.filter(outcome=Login.Outcome.WRONG).count() == PAIR_FREE

    def test_failures_expire_after_a_quarter_of_an_hour(self, anna: User) -> None:
        for _ in range(PAIR_FREE):
            try_login()
        later(16 * 60)

        assert try_login().status_code == 200
        assert LoginWait.objects.get(key=f"pair:anna {HALL}").failures == 1

    @pytest.mark.parametrize("days", [-1, 1, 400])
    def test_wait_from_a_wrong_clock_is_ignored(self, anna: User, days: int) -> None:
        for _ in range(PAIR_FREE):
            try_login()
        later(-days * 24 * 60 * 60)

        assert try_login(password=PASSWORD).status_code == 302

    def test_new_failures_after_a_wrong_clock_are_delayed(self, anna: User) -> None:
        try_login()
        later(-24 * 60 * 60)
        responses = [try_login() for _ in range(PAIR_FREE)]

        assert [response.status_code for response in responses] == [200] * (PAIR_FREE - 1) + [429]
        assert responses[-1]["Retry-After"] == "1"

    def test_superuser_can_end_a_wait(self, anna: User) -> None:
        for _ in range(PAIR_FREE):
            try_login()
        superuser = Client()
        superuser.force_login(create_account("sara", is_superuser=True))
        wait = LoginWait.objects.get(key__startswith="pair:anna")
        superuser.post(reverse("admin:tournaments_loginwait_delete", args=[quote(wait.pk)]), {"post": "yes"})

        assert try_login(password=PASSWORD).status_code == 302

    def test_attempt_counts_before_it_is_checked(self, anna: User, monkeypatch: pytest.MonkeyPatch) -> None:
        """Sixteen concurrent attempts must not all pass the check."""
        seen: list[int] = []

        def check(_request: object, **_credentials: str) -> None:
            seen.append(LoginWait.objects.get(key=f"pair:anna {HALL}").failures)

        monkeypatch.setattr("django.contrib.auth.forms.authenticate", check)
        try_login()

        assert seen == [1]

    def test_delayed_attempt_has_two_queries_and_no_writes(self, anna: User) -> None:
        for _ in range(PAIR_FREE):
            try_login()
        with CaptureQueriesContext(connection) as queries:
            try_login()

        # The first query is about the epoch of forms, as in all desk requests.
        assert [query["sql"].split()[0] for query in queries] == ["SELECT", "SELECT", "SELECT"]


class TestKnownClients:
    def test_known_arbiter_logs_in_during_an_attack_from_the_same_address(self, anna: User) -> None:
        try_login(password=PASSWORD)
        for number in range(NETWORK_FREE + 5):
            try_login(f"name {number}")
        assert try_login("name 1").status_code == 429

        assert try_login(password=PASSWORD).status_code == 302

    def test_known_browser_logs_in_during_an_attack_on_its_name(self, anna: User) -> None:
        browser = Client()
        try_login(password=PASSWORD, by=browser)
        browser.post("/admin/logout/")
        for _ in range(2 * NETWORK_FREE):
            try_login()
        assert try_login(password=PASSWORD).status_code == 429

        assert try_login(password=PASSWORD, by=browser).status_code == 302

    def test_known_browser_is_delayed_by_its_own_failures(self, anna: User) -> None:
        browser = Client()
        try_login(password=PASSWORD, by=browser)
        responses = [try_login(by=browser, at=address(at)).status_code for at in range(PAIR_FREE + 1)]

        assert responses == [200] * PAIR_FREE + [429]

    def test_browser_is_known_only_for_its_name(self, anna: User) -> None:
        olga = create_account("olga", Role.ARBITER)
        browser = Client()
        try_login(password=PASSWORD, by=browser)
        mark = next(each for each in browser.cookies if each.startswith("known-"))
        other = Client()
        other.cookies["known-" + "0" * 16] = browser.cookies[mark].value
        for _ in range(PAIR_FREE):
            try_login("olga", by=browser)

        assert browser.cookies[mark]["httponly"]
        assert try_login(olga.username, PASSWORD, by=browser).status_code == 429
        assert try_login(olga.username, PASSWORD, by=other).status_code == 429

    def test_browser_is_not_known_before_the_second_factor(self, anna: User) -> None:
        give_second_factor(anna)
        browser = Client()
        try_login(password=PASSWORD, by=browser)

        assert not [each for each in browser.cookies if each.startswith("known-")]
        assert Login.objects.get().outcome == Login.Outcome.RIGHT

    def test_owner_of_an_attacked_name_waits_only_seconds(self, anna: User) -> None:
        for at in range(NAME_FREE + 5):
            try_login(at=address(at))
            later(10)
            try_login(at=address(at))
        known, unknown = Client(), Client()
        LoginWait.objects.filter(key__startswith="name:").update(failures=10_000)
        first = try_login(password=PASSWORD, by=unknown, at=ELSEWHERE)
        assert (first.status_code, first["Retry-After"]) == (429, "10")
        for at in range(30, 40):  # others continue their attack
            try_login(at=address(at))
        later(10)
        assert try_login(password=PASSWORD, by=unknown, at=ELSEWHERE).status_code == 302

        assert try_login(password=PASSWORD, by=known, at=ELSEWHERE).status_code == 302

    def test_unknown_name_is_delayed_like_a_known_name(self, anna: User) -> None:
        responses = {
            name: [try_login(name, at=at) for _ in range(PAIR_FREE + 2)]
            for name, at in (("anna", HALL), ("nobody", ELSEWHERE))
        }
        results = [[(each.status_code, each.get("Retry-After")) for each in of] for of in responses.values()]

        assert results[0] == results[1]
        pages = [of[0].context["form"].non_field_errors() for of in responses.values()]
        assert pages[0] == pages[1]

    def test_closed_account_gets_the_error_of_a_wrong_password(self, anna: User) -> None:
        wrong = try_login().context["form"].non_field_errors()
        anna.is_active = False
        anna.save()

        assert try_login(password=PASSWORD).context["form"].non_field_errors() == wrong


class TestNetworks:
    @pytest.mark.parametrize(
        ("address", "network"),
        [("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), (None, "")],
    )
    def test_network_is_an_ipv4_address_or_an_ipv6_64_prefix(self, address: str | None, network: str) -> None:
        assert network_of(address) == network

    def test_mapped_ipv4_address_is_its_own_network(self, settings: Settings) -> None:
        request = RequestFactory(REMOTE_ADDR="::ffff:192.0.2.7").get("/")
        assert client_address(request) == "192.0.2.7"

    def test_addresses_of_an_ipv6_network_share_a_wait(self, anna: User) -> None:
        responses = [
            try_login(f"name {number}", at=f"2001:db8::{number:x}").status_code
            for number in range(NETWORK_FREE + 1)
        ]
        assert responses == [200] * NETWORK_FREE + [429]

    def test_clients_without_address_are_delayed_together(self, anna: User) -> None:
        responses = [try_login(at="").status_code for _ in range(PAIR_FREE + 1)]
        assert responses == [200] * PAIR_FREE + [429]
        for number in range(NETWORK_FREE):
            try_login(f"name {number}", at="")

        assert try_login("somebody else", at="").status_code == 429

    def test_known_browser_without_address_logs_in(self, anna: User) -> None:
        browser = Client()
        try_login(password=PASSWORD, by=browser, at="")
        for number in range(NETWORK_FREE + 5):
            try_login(f"name {number}", at="")
        assert try_login(password=PASSWORD, at="").status_code == 429

        assert try_login(password=PASSWORD, by=browser, at="").status_code == 302

    def test_spellings_of_a_name_count_together(self) -> None:
        assert {normalise_name(name) for name in ("Anna", " anna", "ANNA\0", "ａｎｎａ")} == {"anna"}


class TestOtherSteps:
    def test_wrong_old_passwords_are_delayed(self, anna: User) -> None:
        browser = Client()
        try_login(password=PASSWORD, by=browser)
        form = {
            "old_password": "wrong",
            "new_password1": "another long one",
            "new_password2": "another long one",
        }
        responses = [browser.post("/admin/password_change/", form) for _ in range(PAIR_FREE + 1)]

        assert [each.status_code for each in responses] == [200] * PAIR_FREE + [429]
        assert "Retry-After" in responses[-1]
        right = browser.post("/admin/password_change/", {**form, "old_password": PASSWORD})
        assert right.status_code == 429

    def test_codes_of_a_name_are_delayed_across_addresses(self, anna: User) -> None:
        """Whoever guesses codes has the password, so more addresses must not allow more guesses."""
        give_second_factor(anna)
        responses = []
        for at in range(DELAY_RULES["codes"].free + 1):
            browser = Client(REMOTE_ADDR=address(at))
            browser.force_login(anna)
            responses.append(browser.post(CODE, {"code": "000000"}).status_code)

        assert responses == [200] * DELAY_RULES["codes"].free + [429]


class TestHashes:
    @pytest.fixture
    def busy(self) -> Iterator[BoundedSemaphore]:
        slot = login_delays.HASHING_SLOTS[False]
        slot.acquire()
        yield slot
        slot.release()

    def test_unknown_client_gets_503_while_another_password_is_hashed(
        self, anna: User, busy: BoundedSemaphore
    ) -> None:
        response = try_login(password=PASSWORD)

        assert (response.status_code, response["Retry-After"]) == (503, "1")
        assert not LoginWait.objects.exists()

    def test_known_client_has_a_separate_hashing_slot(self, anna: User) -> None:
        browser = Client()
        try_login(password=PASSWORD, by=browser)
        with login_delays.HASHING_SLOTS[False]:
            assert try_login(password=PASSWORD, by=browser).status_code == 302

    def test_password_hash_uses_19_mebibytes(self, settings: Settings) -> None:
        settings.PASSWORD_HASHERS = PASSWORD_HASHERS
        lean = get_hasher()
        encoded = lean.encode(PASSWORD, lean.salt())

        assert "m=19456,t=2,p=1" in encoded
        assert lean.verify(PASSWORD, encoded)
        assert Argon2PasswordHasher().verify(PASSWORD, encoded)
