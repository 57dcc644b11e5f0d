"""Mail settings for every supported Django: EMAIL_… before 6.1, MAILERS since."""

from collections.abc import Mapping, Sequence
from typing import Any

import django
from django.conf import settings

OPTIONS = {
    "smtp": {
        "EMAIL_HOST": "host",
        "EMAIL_PORT": "port",
        "EMAIL_HOST_USER": "username",
        "EMAIL_HOST_PASSWORD": "password",
        "EMAIL_USE_TLS": "use_tls",
        "EMAIL_USE_SSL": "use_ssl",
        "EMAIL_TIMEOUT": "timeout",
    },
    "filebased": {"EMAIL_FILE_PATH": "file_path"},
}
"""Backends with options: the old settings, and the option names in MAILERS."""


def mail_settings(email: Mapping[str, Any], *, mailers: bool = django.VERSION >= (6, 1)) -> dict[str, Any]:
    if not mailers:
        return dict(email)
    backend = email["EMAIL_BACKEND"]
    names = OPTIONS.get(backend.split(".")[-2], {})
    options = {name: email[key] for key, name in names.items() if email.get(key) is not None}
    return {"MAILERS": {"default": {"BACKEND": backend, "OPTIONS": options}}}


def admins(addresses: Sequence[str]) -> list[Any]:
    """Return ADMINS: pairs of name and address before Django 6.0, addresses since."""
    return list(addresses) if django.VERSION >= (6, 0) else [("", address) for address in addresses]


def mail_backend() -> str:
    mailers = getattr(settings, "MAILERS", None)
    return str(mailers["default"]["BACKEND"] if mailers else settings.EMAIL_BACKEND)
