"""Login: passwords, delays, the second factor, and sessions."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django_otp.oath import totp
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django.fixtures import Settings

from config.trace.addresses import client_address
from tests.cast import PASSWORD, create_account, create_player_event, give_second_factor
from tournaments.accounts.services.roles import Role
from tournaments.models import Login

pytestmark = pytest.mark.django_db
LOGIN, INDEX, CODE, SETUP = "/admin/login/", "/admin/", "/admin/second-factor/", "/admin/second-factor/setup/"


def log_in(client: Client, password: str = PASSWORD, **headers: str) -> int:
    """Log in by password and return the status."""
    form = {"username": "anna", "password": password, "next": INDEX}
    return client.post(LOGIN, form, headers=headers).status_code


def code_of(device: TOTPDevice, *, later: int = 0) -> str:
    """Return the current code of the authenticator, or one of later steps of 30 seconds."""
    return f"{totp(device.bin_key, t0=-30 * later):06}"


class TestPasswords:
    def test_login_is_recorded(self, client: Client, anna: User) -> None:
        assert log_in(client) == 302
        assert client.get(INDEX).status_code == 200
        login = Login.objects.get()
        assert (login.name, login.outcome, login.address) == ("anna", "in", "127.0.0.1")

    def test_failed_login_is_recorded_without_the_password(self, client: Client, anna: User) -> None:
        log_in(client, "guessed-it-wrong")
        failure = Login.objects.get()

        assert (failure.name, failure.outcome, failure.address) == ("anna", "wrong", "127.0.0.1")
        assert "guessed" not in str(vars(failure))

    @pytest.mark.usefixtures("stopped_time")
    def test_overlong_name_is_a_failed_login(self, client: Client) -> None:
        form = {"username": "x" * 300, "password": "wrong"}
        responses = [client.post(LOGIN, form).status_code for _ in range(6)]

        assert responses == [200, 200, 200, 200, 200, 429]
        assert Login.objects.filter(name="x" * 150).count() == 5

    def test_password_change_ends_other_sessions(self, client: Client, anna: User) -> None:
        log_in(client)
        other = Client()
        log_in(other)
        new = "another long password"
        client.post(
            "/admin/password_change/",
            {"old_password": PASSWORD, "new_password1": new, "new_password2": new},
        )

        assert client.get(INDEX).status_code == 200
        assert other.get(INDEX).status_code == 302

    @pytest.mark.parametrize("weak", ["short-one", "password1234", "123456789012345"])
    def test_weak_password_is_rejected(self, client: Client, anna: User, weak: str) -> None:
        client.force_login(anna)
        form = {"old_password": PASSWORD, "new_password1": weak, "new_password2": weak}

        assert client.post("/admin/password_change/", form).status_code == 200


class TestAddresses:
    @pytest.mark.parametrize(
        ("proxies", "forwarded", "address"),
        [
            (0, "203.0.113.9", "10.0.0.1"),
            (1, "203.0.113.9", "203.0.113.9"),
            (1, "1.1.1.1, 203.0.113.9", "203.0.113.9"),
            (2, "203.0.113.9, 10.0.0.2", "203.0.113.9"),
            (2, "", "10.0.0.1"),
            (1, "203.0.113.9:5555", "203.0.113.9"),
            (1, "[2001:db8::1]:443", "2001:db8::1"),
            (1, "[2001:db8::1]", "2001:db8::1"),
            (1, "2001:DB8::1", "2001:db8::1"),
            (1, "fe80::1%eth0", "fe80::1"),
            (1, "unknown", "10.0.0.1"),
            (1, "203.0.113.999", "10.0.0.1"),
            (1, "x" * 5_000, "10.0.0.1"),
        ],
    )
    def test_only_trusted_proxies_set_the_client_address(
        self, settings: Settings, proxies: int, forwarded: str, address: str
    ) -> None:
        settings.PROXIES = proxies
        request = RequestFactory(REMOTE_ADDR="10.0.0.1").get("/", headers={"X-Forwarded-For": forwarded})

        assert client_address(request) == address

    def test_client_of_a_socket_has_no_address(self) -> None:
        assert client_address(RequestFactory(REMOTE_ADDR="").get("/")) is None

    @pytest.mark.usefixtures("stopped_time")
    @pytest.mark.parametrize("forwarded", ["10.0.0.1:5555", "[2001:db8::1]:443", "unknown"])
    def test_failed_login_is_recorded_for_any_address(
        self, client: Client, anna: User, settings: Settings, forwarded: str
    ) -> None:
        settings.PROXIES = 1
        responses = [log_in(client, "wrong", **{"X-Forwarded-For": forwarded}) for _ in range(6)]

        assert responses == [200, 200, 200, 200, 200, 429]


class TestSecondFactor:
    def test_setup_needs_a_current_code(self, client: Client, anna: User) -> None:
        log_in(client)
        page = client.get(SETUP)
        key = bytes.fromhex(client.session["second-factor-key"])
        assert "<svg" in page.content.decode()
        wrong = f"{(totp(key) + 1) % 1_000_000:06}"
        assert client.post(SETUP, {"code": wrong}).status_code == 200
        assert not TOTPDevice.objects.exists()

        response = client.post(SETUP, {"code": f"{totp(key):06}"})
        assert TOTPDevice.objects.get().user == anna
        assert len(re.findall(r"<code>\w{8}</code>", response.content.decode())) == 10
        assert client.get(INDEX).status_code == 200

    def test_second_factor_is_required_after_setup(self, client: Client, anna: User) -> None:
        device = give_second_factor(anna)
        log_in(client)
        for closed in (INDEX, "/admin/password_change/", "/admin/tournaments/event/"):
            assert client.get(closed, follow=True).redirect_chain[-1][0].startswith(CODE)
        assert client.post("/admin/second-factor/backup-codes/")["Location"].startswith(CODE)
        assert client.get(SETUP)["Location"].startswith(CODE)

        response = client.post(CODE, {"code": code_of(device), "next": "/admin/tournaments/event/"})
        assert response["Location"] == "/admin/tournaments/event/"
        assert client.get(INDEX).status_code == 200

    def test_code_is_valid_once(self, client: Client, anna: User) -> None:
        device = give_second_factor(anna)
        log_in(client)
        client.post(CODE, {"code": code_of(device)})
        other = Client()
        log_in(other)

        assert other.post(CODE, {"code": code_of(device)}).status_code == 200

    def test_backup_code_is_valid_once_and_requires_an_authenticator(
        self, client: Client, anna: User
    ) -> None:
        give_second_factor(anna)
        backup = StaticDevice.objects.create(user=anna, name="backup codes")
        StaticToken.objects.create(device=backup, token="abcd2345")
        log_in(client)

        assert client.post(CODE, {"code": "ABCD 2345"})["Location"] == INDEX
        assert not StaticToken.objects.exists()

    @pytest.mark.usefixtures("stopped_time")
    def test_wrong_codes_are_failed_logins(self, client: Client, anna: User) -> None:
        give_second_factor(anna)
        log_in(client)
        responses = [client.post(CODE, {"code": "000000"}).status_code for _ in range(7)]

        assert responses == [200] * 5 + [429, 429]
        assert Login.objects.filter(name="anna", step="code", outcome="wrong").count() == 5

    def test_code_of_another_user_is_rejected(self, client: Client, anna: User) -> None:
        give_second_factor(anna)
        theirs = give_second_factor(create_account("olga", Role.ARBITER))
        log_in(client)

        assert client.post(CODE, {"code": code_of(theirs)}).status_code == 200

    def test_second_factor_does_not_redirect_to_other_sites(self, client: Client, anna: User) -> None:
        device = give_second_factor(anna)
        log_in(client)

        assert (
            client.post(CODE, {"code": code_of(device), "next": "https://elsewhere.example/"})["Location"]
            == INDEX
        )

    def test_removal_needs_a_code(self, client: Client, anna: User) -> None:
        device = give_second_factor(anna)
        log_in(client)
        client.post(CODE, {"code": code_of(device)})
        client.post("/admin/second-factor/remove/", {"code": code_of(device)})  # the code was used before
        assert TOTPDevice.objects.exists()

        client.post("/admin/second-factor/remove/", {"code": code_of(device, later=1)})
        assert not TOTPDevice.objects.exists()

    def test_superuser_can_delete_a_lost_authenticator(self, client: Client, anna: User) -> None:
        device = give_second_factor(anna)
        superuser = Client()
        superuser.force_login(create_account("sara", is_superuser=True))
        address = reverse("admin:auth_user_change", args=[anna.pk])
        page = superuser.get(address).content.decode()
        assert device.key not in page
        form = {
            "username": "anna",
            "is_active": "on",
            "is_staff": "on",
            "groups": [group.pk for group in anna.groups.all()],
            "totpdevice_set-TOTAL_FORMS": 1,
            "totpdevice_set-INITIAL_FORMS": 1,
            "totpdevice_set-0-id": device.pk,
            "totpdevice_set-0-user": anna.pk,
            "totpdevice_set-0-DELETE": "on",
        }

        assert superuser.post(address, form).status_code == 302
        assert not TOTPDevice.objects.exists()
        assert anna.groups.get().name == Role.ARBITER

    def test_required_second_factor_allows_only_setup(
        self, client: Client, anna: User, settings: Settings
    ) -> None:
        settings.OTP_REQUIRED = True
        log_in(client)

        assert client.get(INDEX, follow=True).redirect_chain[-1][0].startswith(SETUP)
        assert client.get(SETUP).status_code == 200
        assert client.post("/admin/logout/").status_code == 200
        assert client.get(SETUP).status_code == 302

    def test_optional_second_factor_is_not_requested(self, client: Client, anna: User) -> None:
        log_in(client)

        assert client.get(INDEX).status_code == 200


class TestReaders:
    def test_public_page_has_no_session_queries_and_no_cookie(self, client: Client, anna: User) -> None:
        create_player_event()
        log_in(client)
        with CaptureQueriesContext(connection) as queries:
            page = client.get("/events/two-players/standings/")

        assert not page.cookies
        assert "Cookie" not in page.get("Vary", "")
        assert not [query for query in queries if re.search("session|auth_|otp|login", query["sql"])]
