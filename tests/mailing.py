"""How a test has mail sent."""

from pytest_django import Settings

from config.mailing import mail_settings


def send_by(settings: Settings, backend: str, **options: str | int) -> None:
    """Use a mail backend of Django's by its name; the options are EMAIL_… settings."""
    email = {"EMAIL_BACKEND": f"django.core.mail.backends.{backend}.EmailBackend", **options}
    for name, value in mail_settings(email).items():
        setattr(settings, name, value)
