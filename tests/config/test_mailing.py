"""EMAIL_URL is converted to the mail settings of the installed Django."""

from typing import Any

import environ
import pytest
from pytest_django import Settings

from config.mailing import mail_backend, mail_settings

SMTP = "django.core.mail.backends.smtp.EmailBackend"


def settings_of(monkeypatch: pytest.MonkeyPatch, url: str, *, mailers: bool) -> dict[str, Any]:
    monkeypatch.setenv("EMAIL_URL", url)
    return mail_settings({**environ.Env().email_url("EMAIL_URL"), "EMAIL_TIMEOUT": 10}, mailers=mailers)


def test_mailers_have_the_options_of_email_url(monkeypatch: pytest.MonkeyPatch) -> None:
    found = settings_of(monkeypatch, "smtp+tls://me:p%40ss@mail.example:587", mailers=True)

    options = {
        "host": "mail.example",
        "port": 587,
        "username": "me",
        "password": "p@ss",
        "use_tls": True,
        "timeout": 10,
    }
    assert found == {"MAILERS": {"default": {"BACKEND": SMTP, "OPTIONS": options}}}


@pytest.mark.parametrize("scheme", ["console", "dummy"])
def test_backends_without_options_get_none(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = settings_of(monkeypatch, f"{scheme}mail://", mailers=True)

    backend = f"django.core.mail.backends.{scheme}.EmailBackend"
    assert found == {"MAILERS": {"default": {"BACKEND": backend, "OPTIONS": {}}}}


def test_older_django_gets_separate_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    found = settings_of(monkeypatch, "smtp+tls://me:p%40ss@mail.example:587", mailers=False)

    assert "MAILERS" not in found
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"], found["EMAIL_USE_TLS"]) == ("mail.example", 587, True)
    assert found["EMAIL_TIMEOUT"] == 10


def test_mail_backend_of_tests_is_locmem(settings: Settings) -> None:
    assert mail_backend() == "django.core.mail.backends.locmem.EmailBackend"
