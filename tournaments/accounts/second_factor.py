"""The second factor of a user: verify it, set it up, create backup codes, remove it.

A code is six digits of an authenticator or a backup code; each is valid once. Wrong codes count as failed
logins: they are recorded and throttled like passwords (`tournaments.accounts.throttle`).
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
ViewFunc = Callable[..., HttpResponse]


class CodeForm(Form):
    """A code, with or without spaces."""

    code = CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}),
    )

    def clean_code(self) -> str:
        return "".join(self.cleaned_data["code"].split()).lower()


@dataclass(frozen=True)
class Secret:
    """The key of an authenticator that is not set up yet."""

    username: str
    key: bytes

    @property
    def text(self) -> str:
        """Return the key for typing: base 32 in groups of four."""
        letters = b32encode(self.key).decode()
        return " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))

    @property
    def link(self) -> str:
        """Return the otpauth URL that authenticators open."""
        label = quote(f"{settings.OTP_TOTP_ISSUER}:{self.username}")
        parameters = {"secret": b32encode(self.key).decode(), "issuer": settings.OTP_TOTP_ISSUER}
        return f"otpauth://totp/{label}?{urlencode(parameters)}"

    @property
    def picture(self) -> SafeString:
        """Return a QR code of the link as inline SVG. It is black on white in dark mode too."""
        qr = segno.make(self.link, error="m", micro=False)
        svg = qr.svg_inline(scale=4, border=4, light="white", svgclass="qr", lineclass=None, omitsize=True)
        return mark_safe(svg)  # noqa: S308 - an SVG of squares, without user input

    def accepts(self, code: str) -> int | None:
        """Return the time step of a code, so that it cannot be used twice; None if it is not valid now."""
        totp = TOTP(self.key)
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
            return "" if has_shown_passkey(user) else "admin:second-factor"
        is_open = user.is_verified() or not has_second_factor(user)
        return "admin:passkeys" if is_open else "admin:second-factor"
    if user.is_verified():
        return ""
    if has_second_factor(user):
        return "admin:second-factor"
    return "admin:second-factor-setup" if settings.OTP_REQUIRED else ""


def own_account(view: ViewFunc) -> ViewFunc:
    """Decorate a view for users who have logged in by password, verified by a second factor or not."""

    @wraps(view)
    def wrapper(request: HttpRequest, **parts: Any) -> HttpResponse:
        # admin_view() would require the second factor, which these views verify or set up.
        if not (request.user.is_active and request.user.is_staff):
            return redirect_to_login(request.get_full_path(), reverse("admin:login"))
        return view(request, **parts)

    return never_cache(csrf_protect(wrapper))


def behind_the_factor(view: ViewFunc) -> ViewFunc:
    """Decorate a view like `own_account`, but require the second factor if the user has one."""

    @wraps(view)
    def wrapper(request: HttpRequest, **parts: Any) -> HttpResponse:
        if missing_step(request.user) == "admin:second-factor":
            return redirect(f"{reverse('admin:second-factor')}?{urlencode({'next': request.path})}")
        return view(request, **parts)

    return own_account(wrapper)


@own_account
def show(request: HttpRequest) -> HttpResponse:
    if not has_second_factor(request.user):
        return redirect("admin:second-factor-setup")
    is_verified = _is_verified(request) and missing_step(request.user) != "admin:second-factor"
    if is_verified and not has_authenticator(request.user):
        return redirect("admin:passkeys")
    if is_verified:
        left = StaticToken.objects.filter(device__user=request.user).count()
        return second_factor_page(request, "status", _("Your second factor"), left=left, form=CodeForm())
    if "credential" in request.POST:
        form, passkey_form = CodeForm(), PasskeyForm(request.POST)
        if passkey_form.is_valid() and show_passkey(request, passkey_form):
            return redirect(_next_url(request))
    else:
        form, passkey_form = CodeForm(request.POST or None), PasskeyForm()
        # A code could be guessed in a million attempts, so failures are throttled like those of passwords.
        device = _device_accepting(request, form) if request.method == "POST" and form.is_valid() else None
        if device:
            django_otp.login(request, device)
            request.session.cycle_key()
            return redirect(_next_url(request))
    about = {
        "form": form,
        "passkey_form": passkey_form,
        "options": options_to_show(request, passkeys_of(request)),
        "is_required": needs_passkey(request.user),
        "next": _next_url(request),
    }
    return second_factor_page(request, "code", _("Second factor"), **about)


@behind_the_factor
def set_up(request: HttpRequest) -> HttpResponse:
    """Show a new key. The first valid code makes it the user's second factor."""
    if has_authenticator(request.user):
        return redirect("admin:second-factor")
    # The same key until the first valid code: a reload must not change the key that was scanned.
    key = request.session.setdefault(KEY_IN_SESSION, random_hex(KEY_BYTES))
    secret = Secret(request.user.get_username(), bytes.fromhex(key))
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        step = secret.accepts(form.cleaned_data["code"])
        if step is not None:
            with transaction.atomic():
                device = TOTPDevice.objects.create(
                    user=request.user, name="authenticator", key=key, last_t=step
                )
                codes = new_backup_codes(request.user)
            # Whoever reads the session later must not find the key of the device.
            del request.session[KEY_IN_SESSION]
            django_otp.login(request, device)
            request.session.cycle_key()
            return show_codes(request, codes, is_new=True)
        form.add_error(
            "code", _("That is not the code of this moment. Check the device's clock, type the next.")
        )
    return second_factor_page(request, "setup", _("Set up a second factor"), form=form, secret=secret)


@behind_the_factor
def backup_codes(request: HttpRequest) -> HttpResponse:
    if request.method != "POST" or not _is_verified(request):
        return redirect("admin:second-factor")
    return show_codes(request, new_backup_codes(request.user))


@behind_the_factor
def remove(request: HttpRequest) -> HttpResponse:
    """Remove the second factor after a valid code, so that an unlocked browser is not enough."""
    form = CodeForm(request.POST or None)
    if request.method != "POST" or not _is_verified(request):
        return redirect("admin:second-factor")
    if form.is_valid() and _device_accepting(request, form):
        TOTPDevice.objects.filter(user=request.user).delete()
        if not has_second_factor(request.user):
            forget_second_factor(request.user)
        messages.success(request, _("Your account has no authenticator any more."))
        return redirect("admin:index")
    left = StaticToken.objects.filter(device__user=request.user).count()
    return second_factor_page(request, "status", _("Your second factor"), left=left, form=form)


def _is_verified(request: HttpRequest) -> bool:
    return bool(request.user.is_verified())  # type: ignore[union-attr]  # the middleware adds it


def _device_accepting(request: HttpRequest, form: CodeForm) -> Any:
    """Return the user's device that accepts the code. If there is none, return None and add a form error."""
    try:
        with attempt(request, request.user.get_username(), Login.Step.CODE) as login_attempt:
            device = _matching_device(request.user, form.cleaned_data["code"])
            if device:
                login_attempt.succeeded()
    except TooSoonError as too_soon:
        form.add_error("code", too_soon)
        return None
    if not device:
        form.add_error("code", _("That code is wrong, or was used before. Wait for the next one."))
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


def forget_second_factor(user: AbstractUser | Any) -> None:
    TOTPDevice.objects.filter(user=user).delete()
    Passkey.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def _next_url(request: HttpRequest) -> str:
    """Return the URL in `next` if it is on this site, otherwise the index."""
    next_url = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME) or ""
    # A login page that redirects to another site helps phishing.
    is_safe = url_has_allowed_host_and_scheme(
        next_url, {request.get_host()}, require_https=request.is_secure()
    )
    return next_url if is_safe else reverse("admin:index")
