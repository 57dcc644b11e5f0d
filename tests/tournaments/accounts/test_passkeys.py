"""Passkeys: registration, login, removal, and requirement by role. A software authenticator signs here."""

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import User
from django.test import Client
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from fido2.cose import ES256
from fido2.utils import sha256, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData
from pytest_django.fixtures import Settings

from tests.cast import PASSWORD, create_account, give_second_factor
from tests.tournaments.accounts.test_logins import code_of
from tournaments.accounts.services.login_delays import DELAY_RULES
from tournaments.accounts.services.roles import Role
from tournaments.models import Login, Passkey

pytestmark = pytest.mark.django_db
PASSKEYS, CODE, INDEX, SETUP = (
    "/admin/passkeys/",
    "/admin/second-factor/",
    "/admin/",
    "/admin/second-factor/setup/",
)
ORIGIN = "http://testserver"


class Authenticator:
    """A software authenticator, which can also sign invalid data."""

    def __init__(self, origin: str = ORIGIN) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.identity = b"i" * 16
        self.origin = origin
        self.counter = 0

    def _data(self, host: str, credential: bytes = b"") -> AuthenticatorData:
        self.counter += 1
        flags = AuthenticatorData.FLAG.UP | (AuthenticatorData.FLAG.AT if credential else 0)
        data: AuthenticatorData = AuthenticatorData.create(
            sha256(host.encode()), flags, self.counter, credential
        )
        return data

    def _client_data(self, kind: CollectedClientData.TYPE, challenge: str) -> CollectedClientData:
        return CollectedClientData.create(kind, challenge, self.origin)

    def _response(self, **response: bytes) -> str:
        encoded = {name: websafe_encode(value) for name, value in response.items()}
        identity = websafe_encode(self.identity)
        return json.dumps({"id": identity, "rawId": identity, "type": "public-key", "response": encoded})

    def make(self, options: dict[str, Any]) -> str:
        """Return the response to the options of a registration."""
        public = ES256.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]  # partly typed
        credential = AttestedCredentialData.create(b"\0" * 16, self.identity, public)
        made = AttestationObject.create("none", self._data(options["rp"]["id"], credential), {})
        client = self._client_data(CollectedClientData.TYPE.CREATE, options["challenge"])
        return self._response(clientDataJSON=bytes(client), attestationObject=bytes(made))

    def sign(self, options: dict[str, Any]) -> str:
        """Return the response to the options of a login."""
        data = self._data(options["rpId"])
        client = self._client_data(CollectedClientData.TYPE.GET, options["challenge"])
        signature = self.key.sign(data + client.hash, ec.ECDSA(hashes.SHA256()))
        return self._response(
            clientDataJSON=bytes(client), authenticatorData=bytes(data), signature=signature
        )


def logged_in() -> Client:
    """A browser after the login by password."""
    client = Client()
    client.post("/admin/login/", {"username": "anna", "password": PASSWORD})
    return client


def options_of(browser: Client, address: str) -> dict[str, Any]:
    options: dict[str, Any] = json.loads(browser.get(address).context["options"])
    return options


def make(browser: Client, phone: Authenticator, name: str = "phone") -> Any:
    return browser.post(PASSKEYS, {"name": name, "credential": phone.make(options_of(browser, PASSKEYS))})


def show(browser: Client, phone: Authenticator) -> Any:
    return browser.post(CODE, {"credential": phone.sign(options_of(browser, CODE)), "next": INDEX})


def is_in(browser: Client) -> bool:
    return browser.get(INDEX).status_code == 200


class TestRegistration:
    def test_passkey_is_required_at_the_next_login(self, anna: User) -> None:
        phone, browser = Authenticator(), logged_in()
        codes = make(browser, phone).context["codes"]
        assert len(codes) == 10
        assert is_in(browser)

        another = logged_in()
        assert not is_in(another)
        assert show(another, phone)["Location"] == INDEX
        assert is_in(another)
        assert Passkey.objects.get().last_used_at
        assert Login.objects.filter(step="passkey", outcome="in").count() == 1

    def test_backup_code_replaces_a_lost_passkey(self, anna: User) -> None:
        browser = logged_in()
        code = make(browser, Authenticator()).context["codes"][0]
        another = logged_in()

        assert another.post(CODE, {"code": code})["Location"] == INDEX
        assert is_in(another)
        assert StaticToken.objects.count() == 9

    def test_backup_codes_are_shown_for_the_first_passkey_only(self, anna: User) -> None:
        browser = logged_in()
        make(browser, Authenticator(), "phone")
        key = Authenticator()
        key.identity = b"k" * 16
        assert make(browser, key, "blue key").status_code == 302

        assert [each.name for each in browser.get(PASSKEYS).context["passkeys"]] == ["phone", "blue key"]
        assert show(logged_in(), key)["Location"] == INDEX

    def test_registration_requires_the_existing_second_factor(self, anna: User) -> None:
        give_second_factor(anna)

        assert logged_in().get(PASSKEYS)["Location"].startswith(CODE)

    @pytest.mark.parametrize(
        "origin", ["https://evil.example", "http://testserver.evil.example", "http://x.testserver"]
    )
    def test_response_of_another_origin_is_rejected(self, anna: User, origin: str) -> None:
        response = make(logged_in(), Authenticator(origin))

        assert response.context["form"].non_field_errors()
        assert not Passkey.objects.exists()

    def test_challenge_is_valid_once(self, anna: User) -> None:
        browser, phone = logged_in(), Authenticator()
        form = {"name": "phone", "credential": phone.make(options_of(browser, PASSKEYS))}
        browser.post(PASSKEYS, form)

        assert browser.post(PASSKEYS, form).context["form"].non_field_errors()
        assert Passkey.objects.count() == 1

    @pytest.mark.parametrize(
        "credential", ["", "x", "[]", "{}", '{"response": 1}', "[" * 19_000, "{" * 30_000]
    )
    def test_malformed_response_is_rejected(self, anna: User, credential: str) -> None:
        browser = logged_in()
        options_of(browser, PASSKEYS)
        response = browser.post(PASSKEYS, {"name": "phone", "credential": credential})

        assert response.status_code == 200
        assert response.context["form"].errors


class TestLogin:
    def test_passkey_of_another_user_is_rejected_and_recorded(self, anna: User) -> None:
        make(logged_in(), Authenticator())
        response = show(logged_in(), Authenticator())

        assert response.context["passkey_form"].non_field_errors()
        assert Login.objects.filter(step="passkey", outcome="wrong").count() == 1

    def test_decreased_counter_is_rejected(self, anna: User) -> None:
        phone = Authenticator()
        make(logged_in(), phone)
        show(logged_in(), phone)
        phone.counter = 0

        assert show(logged_in(), phone).status_code == 200

    @pytest.mark.usefixtures("stopped_time")
    def test_failures_are_delayed_like_passwords(self, anna: User) -> None:
        make(logged_in(), Authenticator())
        browser = logged_in()
        responses = [show(browser, Authenticator()).status_code for _ in range(DELAY_RULES["pair"].free + 1)]

        assert responses == [200] * DELAY_RULES["pair"].free + [429]

    def test_authenticator_and_passkey_can_be_combined(self, anna: User) -> None:
        browser, phone = logged_in(), Authenticator()
        make(browser, phone)
        assert browser.get(SETUP).status_code == 200
        device = give_second_factor(anna)

        assert logged_in().post(CODE, {"code": code_of(device)})["Location"] == INDEX
        assert show(logged_in(), phone)["Location"] == INDEX


class TestRemoval:
    def test_removal_requires_the_password_and_keeps_other_passkeys(self, anna: User) -> None:
        browser, phone = logged_in(), Authenticator()
        make(browser, phone)
        address = f"{PASSKEYS}{Passkey.objects.get().pk}/remove/"
        assert browser.post(address, {"password": "wrong"}).status_code == 200
        assert Passkey.objects.exists()
        assert browser.post(address, {"password": PASSWORD})["Location"] == PASSKEYS

        assert not Passkey.objects.exists()
        assert is_in(logged_in())

    def test_passkey_of_another_user_cannot_be_removed(self, anna: User) -> None:
        make(logged_in(), Authenticator())
        olga = Client()
        olga.force_login(create_account("olga", Role.ORGANISER))

        assert (
            olga.post(f"{PASSKEYS}{Passkey.objects.get().pk}/remove/", {"password": PASSWORD}).status_code
            == 404
        )
        assert Passkey.objects.exists()

    def test_organiser_can_reset_a_lost_passkey(self, anna: User) -> None:
        make(logged_in(), Authenticator())
        otto = Client()
        otto.force_login(create_account("otto", Role.ORGANISER))
        otto.post(f"/admin/users/{anna.pk}/", {"act": "factor"})

        assert is_in(logged_in())


class TestRequiredByRole:
    @pytest.fixture(autouse=True)
    def required(self, settings: Settings) -> None:
        settings.PASSKEY_REQUIRED_FOR = ["arbiters"]

    def test_user_without_passkey_must_register_one(self, anna: User) -> None:
        browser, phone = logged_in(), Authenticator()
        assert browser.get(INDEX, follow=True).redirect_chain[-1][0].startswith(PASSKEYS)
        make(browser, phone)

        assert is_in(browser)

    def test_authenticator_code_allows_only_registration(self, anna: User) -> None:
        device = give_second_factor(anna)
        browser = logged_in()
        assert browser.get(PASSKEYS)["Location"].startswith(CODE)
        browser.post(CODE, {"code": code_of(device)})
        assert browser.get(INDEX, follow=True).redirect_chain[-1][0].startswith(PASSKEYS)
        make(browser, Authenticator())

        assert is_in(browser)

    def test_required_passkey_accepts_no_authenticator_code(self, anna: User) -> None:
        phone = Authenticator()
        code = make(logged_in(), phone).context["codes"][0]
        device = TOTPDevice.objects.create(user=anna, name="authenticator")
        browser = logged_in()
        assert browser.post(CODE, {"code": code_of(device)}).status_code == 200
        assert browser.get(PASSKEYS)["Location"].startswith(CODE)
        assert not is_in(browser)
        assert show(browser, phone)["Location"] == INDEX
        assert is_in(browser)
        lost = logged_in()
        lost.post(CODE, {"code": code})

        assert is_in(lost)

    def test_other_roles_need_no_passkey(self, anna: User) -> None:
        otto = Client()
        otto.force_login(create_account("otto", Role.ORGANISER))

        assert is_in(otto)
