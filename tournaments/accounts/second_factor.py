"""The second factor of one's own account: show it, set it up, get backup codes, remove it.

A code is six digits of an authenticator, or one of the backup codes, each good for once. Wrong ones are
failed logins: recorded and delayed as passwords are (`tournaments.accounts.throttle`).
"""

import time
from base64 import b32encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any
from urllib.parse import quote, urlencode

import django_otp
import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.models import AbstractUser, User
from django.contrib.auth.views import redirect_to_login
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.forms import CharField, Form, TextInput
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from tournaments.accounts.backup_codes import new_backup_codes, second_factor_page, show_codes
from tournaments.accounts.passkeys import (
    PasskeyForm,
    has_shown_passkey,
    needs_passkey,
    options_to_show,
    passkeys_of,
    show_passkey,
)
from tournaments.accounts.throttle import TooSoonError, attempt
from tournaments.models import Login, Passkey

KEY_BYTES = 20
KEY_IN_SESSION = "second-factor-key"
View = Callable[..., HttpResponse]


class CodeForm(Form):
    """One code, however it is spaced."""

    code = CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}),
    )

    def clean_code(self) -> str:
        """Return the code without spaces, in lower case."""
        return "".join(self.cleaned_data["code"].split()).lower()


@dataclass(frozen=True)
class Secret:
    """The key that an authenticator is told, of a device that is not there yet."""

    username: str
    key: bytes

    @property
    def text(self) -> str:
        """Return the key as it is typed: base 32, in fours."""
        letters = b32encode(self.key).decode()
        return " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))

    @property
    def link(self) -> str:
        """Return the key as an address that authenticators open."""
        label = quote(f"{settings.OTP_TOTP_ISSUER}:{self.username}")
        parameters = {"secret": b32encode(self.key).decode(), "issuer": settings.OTP_TOTP_ISSUER}
        return f"otpauth://totp/{label}?{urlencode(parameters)}"

    @property
    def picture(self) -> SafeString:
        """Return the address as a QR code: an SVG element of the page, black on white in dark colours too."""
        drawn = segno.make(self.link, error="m", micro=False)
        svg = drawn.svg_inline(scale=4, border=4, light="white", svgclass="qr", lineclass=None, omitsize=True)
        return mark_safe(svg)  # noqa: S308 - squares drawn from bits; no text of anybody is in it

    def accepts(self, code: str) -> int | None:
        """Return the time step of a code, so that it is not taken twice; None where it is not of now."""
        totp = TOTP(self.key)
        totp.time = time.time()
        return int(totp.t()) if code.isdecimal() and totp.verify(int(code), tolerance=1) else None


def has_authenticator(user: Any) -> bool:
    """Say whether the account has an authenticator, which makes codes; one query."""
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def has_second_factor(user: Any) -> bool:
    """Say whether the account has an authenticator or a passkey; backup codes alone are none. One query."""
    codes = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
    passkeys = Passkey.objects.filter(user=OuterRef("pk"))
    return User.objects.filter(Exists(codes) | Exists(passkeys), pk=user.pk).exists()


def missing_step(user: Any) -> str:
    """Return what an account that has logged in by password must pass first: a URL name, or nothing."""
    if needs_passkey(user) and not isinstance(user.otp_device, Passkey):
        if Passkey.objects.filter(user=user).exists():
            return "" if has_shown_passkey(user) else "admin:second-factor"
        is_open = user.is_verified() or not has_second_factor(user)
        return "admin:passkeys" if is_open else "admin:second-factor"
    if user.is_verified():
        return ""
    if has_second_factor(user):
        return "admin:second-factor"
    return "admin:second-factor-setup" if settings.OTP_REQUIRED else ""


def own_account(view: View) -> View:
    """Let whoever has logged in by password get a view of his own, the second factor shown or not."""

    @wraps(view)
    def answer(request: HttpRequest, **parts: Any) -> HttpResponse:
        # admin_view() would ask for the second factor, which is what is being shown or set up here.
        if not (request.user.is_active and request.user.is_staff):
            return redirect_to_login(request.get_full_path(), reverse("admin:login"))
        return view(request, **parts)

    return never_cache(csrf_protect(answer))


def behind_the_factor(view: View) -> View:
    """Do as `own_account`; an account with a second factor must have shown it."""

    @wraps(view)
    def answer(request: HttpRequest, **parts: Any) -> HttpResponse:
        if missing_step(request.user) == "admin:second-factor":
            return redirect(f"{reverse('admin:second-factor')}?{urlencode({'next': request.path})}")
        return view(request, **parts)

    return own_account(answer)


@own_account
def show(request: HttpRequest) -> HttpResponse:
    """Ask for passkey or code after the password; later, say what the account has and what can be done."""
    if not has_second_factor(request.user):
        return redirect("admin:second-factor-setup")
    is_shown = _verified(request) and missing_step(request.user) != "admin:second-factor"
    if is_shown and not has_authenticator(request.user):
        return redirect("admin:passkeys")
    if is_shown:
        left = StaticToken.objects.filter(device__user=request.user).count()
        return second_factor_page(request, "status", _("Your second factor"), left=left, form=CodeForm())
    if "credential" in request.POST:
        form, passkey_form = CodeForm(), PasskeyForm(request.POST)
        if passkey_form.is_valid() and show_passkey(request, passkey_form):
            return redirect(_next(request))
    else:
        form, passkey_form = CodeForm(request.POST or None), PasskeyForm()
        # A code is guessed in a million tries: failures are delayed as those of passwords are.
        device = _device_of(request, form) if request.method == "POST" and form.is_valid() else None
        if device:
            django_otp.login(request, device)
            request.session.cycle_key()
            return redirect(_next(request))
    about = {
        "form": form,
        "passkey_form": passkey_form,
        "options": options_to_show(request, passkeys_of(request)),
        "is_required": needs_passkey(request.user),
        "next": _next(request),
    }
    return second_factor_page(request, "code", _("Second factor"), **about)


@behind_the_factor
def set_up(request: HttpRequest) -> HttpResponse:
    """Show a new key; the first right code makes it the account's second factor."""
    if has_authenticator(request.user):
        return redirect("admin:second-factor")
    # Kept until the first right code: a reload must not change the key that was scanned.
    key = request.session.setdefault(KEY_IN_SESSION, random_hex(KEY_BYTES))
    secret = Secret(request.user.get_username(), bytes.fromhex(key))
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        step = secret.accepts(form.cleaned_data["code"])
        if step is not None:
            return _confirm(request, key, step)
        form.add_error(
            "code", _("That is not the code of this moment. Check the device's clock, type the next.")
        )
    return second_factor_page(request, "setup", _("Set up a second factor"), form=form, secret=secret)


@behind_the_factor
def backup_codes(request: HttpRequest) -> HttpResponse:
    """Show new backup codes instead of the old ones, this once."""
    if request.method != "POST" or not _verified(request):
        return redirect("admin:second-factor")
    return show_codes(request, new_backup_codes(request.user))


@behind_the_factor
def remove(request: HttpRequest) -> HttpResponse:
    """Remove the second factor, against a code: a borrowed browser is not enough."""
    form = CodeForm(request.POST or None)
    if request.method != "POST" or not _verified(request):
        return redirect("admin:second-factor")
    if form.is_valid() and _device_of(request, form):
        TOTPDevice.objects.filter(user=request.user).delete()
        if not has_second_factor(request.user):
            forget_second_factor(request.user)
        messages.success(request, _("Your account has no authenticator any more."))
        return redirect("admin:index")
    left = StaticToken.objects.filter(device__user=request.user).count()
    return second_factor_page(request, "status", _("Your second factor"), left=left, form=form)


def _verified(request: HttpRequest) -> bool:
    return bool(request.user.is_verified())  # type: ignore[union-attr]  # the middleware adds it


def _confirm(request: HttpRequest, key: str, step: int) -> HttpResponse:
    """Make the device, log in with it, and show the backup codes that go with it."""
    with transaction.atomic():
        device = TOTPDevice.objects.create(user=request.user, name="authenticator", key=key, last_t=step)
        codes = new_backup_codes(request.user)
    # Whoever reads the session later must not find the key of the device.
    del request.session[KEY_IN_SESSION]
    django_otp.login(request, device)
    request.session.cycle_key()
    return show_codes(request, codes, made=True)


def _device_of(request: HttpRequest, form: CodeForm) -> Any:
    """Return the account's device that takes the code; None where the form says what is wrong."""
    try:
        with attempt(request, request.user.get_username(), Login.Step.CODE) as tried:
            device = _match(request.user, form.cleaned_data["code"])
            if device:
                tried.succeeded()
    except TooSoonError as early:
        form.add_error("code", early)
        return None
    if not device:
        form.add_error("code", _("That code is wrong, or was used before. Wait for the next one."))
    return device


def _match(user: Any, code: str) -> Any:
    # By its looks, so that a backup code is never tried as one of the authenticator.
    kind = TOTPDevice if code.isdecimal() else StaticDevice
    if kind is TOTPDevice and needs_passkey(user) and Passkey.objects.filter(user=user).exists():
        return None
    for device in kind.objects.filter(user=user, confirmed=True):
        if django_otp.verify_token(user, device.persistent_id, code):
            return device
    return None


def forget_second_factor(user: AbstractUser | Any) -> None:
    """Take the second factor away, backup codes included."""
    TOTPDevice.objects.filter(user=user).delete()
    Passkey.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def _next(request: HttpRequest) -> str:
    """Return where the account wanted to go, if that is on this site."""
    asked = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME) or ""
    # A login that leads to another site is how passwords are fished for.
    ours = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if ours else reverse("admin:index")
