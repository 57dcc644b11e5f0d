"""The second factor of a user: an authenticator or passkeys, and backup codes.

A code is six digits of an authenticator or a backup code; each is valid once. Wrong codes count as failed
logins: they are recorded and delayed like passwords (`tournaments.accounts.services.login_delays`).
"""

import time
from base64 import b32encode
from typing import Any

import django_otp
from django.conf import settings
from django.contrib.auth.models import AbstractUser, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournaments.accounts.models import Login, Passkey
from tournaments.accounts.services.login_delays import login_attempt
from tournaments.accounts.services.passkeys import needs_passkey

BACKUP_CODES = 10


def key_text(device: TOTPDevice) -> str:
    """Return the key of an authenticator for typing: base 32 in groups of four."""
    letters = b32encode(device.bin_key).decode()
    return " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def time_step_of(device: TOTPDevice, code: str) -> int | None:
    """Return the time step of a code, so that it cannot be used twice; None if it is not valid now.

    The device is not saved yet, so its own `verify_token`, which saves it, cannot be used.
    """
    totp = TOTP(device.bin_key)
    totp.time = time.time()
    return int(totp.t()) if code.isdecimal() and totp.verify(int(code), tolerance=1) else None


def has_authenticator(user: Any) -> bool:
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def has_second_factor(user: Any) -> bool:
    """Return whether the user has an authenticator or a passkey. Backup codes do not count. One query."""
    codes = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
    passkeys = Passkey.objects.filter(user=OuterRef("pk"))
    return User.objects.filter(Exists(codes) | Exists(passkeys), pk=user.pk).exists()


def missing_step(user: Any) -> str:
    """Return the URL name of the step that the user must pass after the password, or an empty string."""
    if needs_passkey(user) and not isinstance(user.otp_device, Passkey):
        if Passkey.objects.filter(user=user).exists():
            # A backup code replaces a lost passkey.
            return "" if isinstance(user.otp_device, StaticDevice) else "admin:second-factor"
        is_open = user.is_verified() or not has_second_factor(user)
        return "admin:passkeys" if is_open else "admin:second-factor"
    if user.is_verified():
        return ""
    if has_second_factor(user):
        return "admin:second-factor"
    return "admin:second-factor-setup" if settings.OTP_REQUIRED else ""


def accepting_device(request: HttpRequest, code: str) -> Any:
    """Return the user's device that accepts the code. Raise ValidationError otherwise, or if delayed."""
    # A code could be guessed in a million attempts, so failures are delayed like those of passwords.
    with login_attempt(request, request.user.get_username(), Login.Step.CODE) as attempt:
        device = _matching_device(request.user, code)
        if not device:
            raise ValidationError(_("That code is wrong, or was used before. Wait for the next one."))
        attempt.succeeded()
    return device


def _matching_device(user: Any, code: str) -> Any:
    # The kind follows from the format, so a backup code never counts as a failed authenticator code.
    kind = TOTPDevice if code.isdecimal() else StaticDevice
    if kind is TOTPDevice and needs_passkey(user) and Passkey.objects.filter(user=user).exists():
        return None
    for device in kind.objects.filter(user=user, confirmed=True):
        if django_otp.verify_token(user, device.persistent_id, code):
            return device
    return None


def new_backup_codes(user: Any) -> list[str]:
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="backup codes")
        codes = [StaticToken.random_token() for _code in range(BACKUP_CODES)]
        StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def remove_second_factor(user: AbstractUser | Any) -> None:
    for model in (TOTPDevice, Passkey, StaticDevice):
        model.objects.filter(user=user).delete()
