"""Attempts to log in are delayed: by address, by name, never for who has logged in before."""

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
from tournaments.accounts import throttle
from tournaments.accounts.throttle import PACES, Pace, one_spelling
from tournaments.admin.permissions import Role
from tournaments.models import Login, LoginWait

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stopped_time")]
LOGIN, CODE = "/admin/login/", "/admin/second-factor/"
WRONG = "guessed"
HALL, ELSEWHERE = "192.0.2.7", "203.0.113.9"
PAIR_FREE, NETWORK_FREE, NAME_FREE = (PACES[each].free for each in ("pair", "network", "name"))


@pytest.fixture
def anna(db: None) -> User:
    """An arbiter."""
    return create_account("anna", Role.ARBITER)


def tried(name: str = "anna", password: str = WRONG, *, by: Client | None = None, at: str = HALL) -> Any:
    """The answer to a login that somebody types; without `by`, in a browser that was never here."""
    client = by or Client()
    return client.post(LOGIN, {"username": name, "password": password, "next": "/admin/"}, REMOTE_ADDR=at)


def later(seconds: int) -> None:
    """Let time pass for all who wait."""
    for wait in LoginWait.objects.all():
        wait.last -= timedelta(seconds=seconds)
        wait.free_at = wait.free_at and wait.free_at - timedelta(seconds=seconds)
        wait.save()


def address(number: int) -> str:
    return f"198.51.{number // 250}.{number % 250 + 1}"


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0), (4, 0), (5, 1), (6, 2), (8, 8), (11, 60), (5_000, 60)]
)
def test_a_wait_doubles_up_to_a_bound(failures: int, seconds: int) -> None:
    assert Pace(5, 60).seconds(failures) == seconds


class TestWaits:
    def test_the_answer_says_in_words_and_in_its_head_how_long(self, anna: User) -> None:
        for _ in range(PAIR_FREE):
            assert tried().status_code == 200
        answer = tried(password=PASSWORD)

        assert (answer.status_code, answer["Retry-After"]) == (429, "1")
        page = answer.content.decode()
        assert "You can try again in 1 second." in page
        assert 'name="password"' in page
        assert "js/wait.js" in page

    def test_after_it_the_right_password_is_in_and_the_failures_are_gone(self, anna: User) -> None:
        for _ in range(PAIR_FREE + 1):
            tried()
        later(2)

        assert tried(password=PASSWORD).status_code == 302
        assert not LoginWait.objects.filter(key__startswith="pair:").exists()

    def test_trying_too_early_makes_no_wait_longer(self, anna: User) -> None:
        answers = [tried() for _ in range(PAIR_FREE + 10)]

        assert answers[-1]["Retry-After"] == "1"
        assert Login.objects.filter(outcome=Login.Outcome.WRONG).count() == PAIR_FREE

    def test_failures_are_forgotten_after_a_quiet_quarter_of_an_hour(self, anna: User) -> None:
        for _ in range(PAIR_FREE):
            tried()
        later(16 * 60)

        assert tried().status_code == 200
        assert LoginWait.objects.get(key=f"pair:anna {HALL}").failures == 1

    @pytest.mark.parametrize("days", [-1, 1, 400])
    def test_clock_that_was_wrong_for_a_while_delays_no_login(self, anna: User, days: int) -> None:
        for _ in range(PAIR_FREE):
            tried()
        later(-days * 24 * 60 * 60)

        assert tried(password=PASSWORD).status_code == 302

    def test_clock_that_was_wrong_ends_no_wait_of_new_failures(self, anna: User) -> None:
        tried()
        later(-24 * 60 * 60)
        answers = [tried() for _ in range(PAIR_FREE)]

        assert [answer.status_code for answer in answers] == [200] * (PAIR_FREE - 1) + [429]
        assert answers[-1]["Retry-After"] == "1"

    def test_a_superuser_ends_a_wait(self, anna: User) -> None:
        for _ in range(PAIR_FREE):
            tried()
        superuser = Client()
        superuser.force_login(create_account("sara", is_superuser=True))
        wait = LoginWait.objects.get(key__startswith="pair:anna")
        superuser.post(reverse("admin:tournaments_loginwait_delete", args=[quote(wait.pk)]), {"post": "yes"})

        assert tried(password=PASSWORD).status_code == 302

    def test_an_attempt_counts_before_it_is_looked_at(
        self, anna: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Sixteen at once must not all be the first."""
        seen: list[int] = []
        keep = throttle._record

        def record(attempt: throttle.Attempt) -> None:
            seen.append(LoginWait.objects.get(key=f"pair:anna {HALL}").failures)
            keep(attempt)

        monkeypatch.setattr(throttle, "_record", record)
        tried()

        assert seen == [1]

    def test_one_that_must_wait_asks_two_questions_of_its_own_and_writes_nothing(self, anna: User) -> None:
        for _ in range(PAIR_FREE):
            tried()
        with CaptureQueriesContext(connection) as asked:
            tried()

        # The first is for the epoch of forms, as at every request of the desk.
        assert [query["sql"].split()[0] for query in asked] == ["SELECT", "SELECT", "SELECT"]


class TestWhoIsKnown:
    def test_an_arbiter_gets_in_while_the_hall_s_address_attacks_everybody(self, anna: User) -> None:
        tried(password=PASSWORD)
        for number in range(NETWORK_FREE + 5):
            tried(f"name {number}")
        assert tried("name 1").status_code == 429

        assert tried(password=PASSWORD).status_code == 302

    def test_his_browser_gets_in_while_the_hall_s_address_attacks_his_name(self, anna: User) -> None:
        browser = Client()
        tried(password=PASSWORD, by=browser)
        browser.post("/admin/logout/")
        for _ in range(2 * NETWORK_FREE):
            tried()
        assert tried(password=PASSWORD).status_code == 429

        assert tried(password=PASSWORD, by=browser).status_code == 302

    def test_a_known_browser_waits_for_its_own_failures(self, anna: User) -> None:
        browser = Client()
        tried(password=PASSWORD, by=browser)
        answers = [tried(by=browser, at=address(at)).status_code for at in range(PAIR_FREE + 1)]

        assert answers == [200] * PAIR_FREE + [429]

    def test_a_browser_is_known_for_the_name_that_logged_in(self, anna: User) -> None:
        olga = create_account("olga", Role.ARBITER)
        browser = Client()
        tried(password=PASSWORD, by=browser)
        mark = next(each for each in browser.cookies if each.startswith("known-"))
        other = Client()
        other.cookies["known-" + "0" * 16] = browser.cookies[mark].value
        for _ in range(PAIR_FREE):
            tried("olga", by=browser)

        assert browser.cookies[mark]["httponly"]
        assert tried(olga.username, PASSWORD, by=browser).status_code == 429
        assert tried(olga.username, PASSWORD, by=other).status_code == 429

    def test_the_password_alone_makes_nothing_known_where_a_code_is_asked(self, anna: User) -> None:
        give_second_factor(anna)
        browser = Client()
        tried(password=PASSWORD, by=browser)

        assert not [each for each in browser.cookies if each.startswith("known-")]
        assert Login.objects.get().outcome == Login.Outcome.RIGHT

    def test_a_name_attacked_from_everywhere_lets_its_owner_in_after_seconds(self, anna: User) -> None:
        for at in range(NAME_FREE + 5):
            tried(at=address(at))
            later(10)
            tried(at=address(at))
        known, unknown = Client(), Client()
        LoginWait.objects.filter(key__startswith="name:").update(failures=10_000)
        first = tried(password=PASSWORD, by=unknown, at=ELSEWHERE)
        assert (first.status_code, first["Retry-After"]) == (429, "10")
        for at in range(30, 40):  # the others go on meanwhile
            tried(at=address(at))
        later(10)
        assert tried(password=PASSWORD, by=unknown, at=ELSEWHERE).status_code == 302

        assert tried(password=PASSWORD, by=known, at=ELSEWHERE).status_code == 302

    def test_a_name_that_nobody_has_waits_as_one_that_somebody_has(self, anna: User) -> None:
        answers = {
            name: [tried(name, at=at) for _ in range(PAIR_FREE + 2)]
            for name, at in (("anna", HALL), ("nobody", ELSEWHERE))
        }
        told = [[(each.status_code, each.get("Retry-After")) for each in of] for of in answers.values()]

        assert told[0] == told[1]
        pages = [of[0].context["form"].non_field_errors() for of in answers.values()]
        assert pages[0] == pages[1]

    def test_a_closed_account_is_told_what_a_wrong_password_is(self, anna: User) -> None:
        wrong = tried().context["form"].non_field_errors()
        anna.is_active = False
        anna.save()

        assert tried(password=PASSWORD).context["form"].non_field_errors() == wrong


class TestPlaces:
    @pytest.mark.parametrize(
        ("address", "network"),
        [("192.0.2.7", "192.0.2.7"), ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), (None, "")],
    )
    def test_a_place_is_an_address_or_a_64th_of_ipv6(self, address: str | None, network: str) -> None:
        assert network_of(address) == network

    def test_one_ipv4_address_is_no_place_with_all_others(self, settings: Settings) -> None:
        request = RequestFactory(REMOTE_ADDR="::ffff:192.0.2.7").get("/")
        assert client_address(request) == "192.0.2.7"

    def test_an_ipv6_connection_has_one_wait_however_many_addresses_it_takes(self, anna: User) -> None:
        answers = [
            tried(f"name {number}", at=f"2001:db8::{number:x}").status_code
            for number in range(NETWORK_FREE + 1)
        ]
        assert answers == [200] * NETWORK_FREE + [429]

    def test_without_an_address_names_and_all_strangers_wait(self, anna: User) -> None:
        answers = [tried(at="").status_code for _ in range(PAIR_FREE + 1)]
        assert answers == [200] * PAIR_FREE + [429]
        for number in range(NETWORK_FREE):
            tried(f"name {number}", at="")

        assert tried("somebody else", at="").status_code == 429

    def test_without_an_address_a_known_browser_gets_in(self, anna: User) -> None:
        browser = Client()
        tried(password=PASSWORD, by=browser, at="")
        for number in range(NETWORK_FREE + 5):
            tried(f"name {number}", at="")
        assert tried(password=PASSWORD, at="").status_code == 429

        assert tried(password=PASSWORD, by=browser, at="").status_code == 302

    def test_a_name_is_counted_in_one_spelling(self) -> None:
        assert {one_spelling(name) for name in ("Anna", " anna", "ANNA\0", "ａｎｎａ")} == {"anna"}


class TestOtherSteps:
    def test_wrong_old_passwords_wait_too(self, anna: User) -> None:
        browser = Client()
        tried(password=PASSWORD, by=browser)
        form = {
            "old_password": "wrong",
            "new_password1": "another long one",
            "new_password2": "another long one",
        }
        answers = [browser.post("/admin/password_change/", form) for _ in range(PAIR_FREE + 1)]

        assert [each.status_code for each in answers] == [200] * PAIR_FREE + [429]
        assert "Retry-After" in answers[-1]
        right = browser.post("/admin/password_change/", {**form, "old_password": PASSWORD})
        assert right.status_code == 429

    def test_codes_of_one_name_wait_wherever_they_come_from(self, anna: User) -> None:
        """He who guesses codes has the password: more addresses must give him no more guesses."""
        give_second_factor(anna)
        answers = []
        for at in range(PACES["codes"].free + 1):
            browser = Client(REMOTE_ADDR=address(at))
            browser.force_login(anna)
            answers.append(browser.post(CODE, {"code": "000000"}).status_code)

        assert answers == [200] * PACES["codes"].free + [429]


class TestHashes:
    @pytest.fixture
    def busy(self) -> Iterator[BoundedSemaphore]:
        slot = throttle.SLOTS[False]
        slot.acquire()
        yield slot
        slot.release()

    def test_a_stranger_is_told_to_wait_while_another_password_is_hashed(
        self, anna: User, busy: BoundedSemaphore
    ) -> None:
        answer = tried(password=PASSWORD)

        assert (answer.status_code, answer["Retry-After"]) == (503, "1")
        assert not LoginWait.objects.exists()

    def test_who_is_known_has_a_hash_of_his_own(self, anna: User) -> None:
        browser = Client()
        tried(password=PASSWORD, by=browser)
        with throttle.SLOTS[False]:
            assert tried(password=PASSWORD, by=browser).status_code == 302

    def test_a_hash_takes_19_mebibytes(self, settings: Settings) -> None:
        settings.PASSWORD_HASHERS = PASSWORD_HASHERS
        lean = get_hasher()
        encoded = lean.encode(PASSWORD, lean.salt())

        assert "m=19456,t=2,p=1" in encoded
        assert lean.verify(PASSWORD, encoded)
        assert Argon2PasswordHasher().verify(PASSWORD, encoded)
