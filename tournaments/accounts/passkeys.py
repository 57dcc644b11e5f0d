"""The passkeys of a user: register, list and remove them, and verify a passkey at login.

The page contains the options for `navigator.credentials`, and the response of the authenticator is posted in
an ordinary form by static/js/passkeys.js. The relying party is the host of the request, which is in
ALLOWED_HOSTS. Other origins are rejected.
"""

import json
from typing import Any

import django_otp
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_otp.plugins.otp_static.models import StaticDevice
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from tournaments.accounts.backup_codes import new_backup_codes, show_codes
from tournaments.accounts.links import note
from tournaments.accounts.throttle import attempt
from tournaments.admin.frame import who
from tournaments.admin.permissions import roles_of
from tournaments.models import Login, Passkey

STATE = "passkey"
"""The session key of the pending challenge."""

MAX_PASSKEYS = 20
"""The maximum number of passkeys per account."""

MAX_RESPONSE = 20_000
INVALID_RESPONSE = (ValueError, KeyError, TypeError, AttributeError, AssertionError)
"""Exceptions of the fido2 package for responses that are invalid or malformed."""


class PasskeyForm(forms.Form):
    """The response of the authenticator, which the script fills in."""

    credential = forms.CharField(max_length=MAX_RESPONSE, widget=forms.HiddenInput)

    def clean_credential(self) -> dict[str, Any]:
        try:
            answer = json.loads(self.cleaned_data["credential"])
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ValidationError(_("The browser sent no passkey. Try again."))
        return answer


class NewPasskeyForm(PasskeyForm):
    """The registration of a passkey, with its name."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=64,
        help_text=gettext_lazy("Your name for the passkey, for example the phone or key that stores it."),
    )


class RemovalForm(forms.Form):
    """The password that removing a passkey requires, so that an unlocked browser is not enough."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        user = self.request.user
        with attempt(self.request, user.get_username(), Login.Step.OLD_PASSWORD) as login_attempt:
            if not user.check_password(self.cleaned_data["password"]):
                raise ValidationError(_("That is not your password."))
            login_attempt.succeeded(Login.Outcome.RIGHT)
        return str(self.cleaned_data["password"])


# --- requirements -----------------------------------------------------------------------------------------


def needs_passkey(user: Any) -> bool:
    required = set(settings.PASSKEY_REQUIRED_FOR)
    if not required:
        return False
    roles = {f"{role.lower()}s" for role in roles_of(user)} | ({"superusers"} if user.is_superuser else set())
    return bool(required & roles)


def passkeys_of(request: HttpRequest) -> list[Passkey]:
    """Return the user's passkeys for this host. One query."""
    return list(Passkey.objects.filter(user=request.user.pk, host=_rp_id(request)))


def has_shown_passkey(user: Any) -> bool:
    """Return whether the session was verified with a passkey, or with a backup code that replaces it."""
    return isinstance(getattr(user, "otp_device", None), Passkey | StaticDevice)


# --- WebAuthn ---------------------------------------------------------------------------------------------


def _rp_id(request: HttpRequest) -> str:
    return split_domain_port(request.get_host())[0]


def _fido2_server(request: HttpRequest) -> Fido2Server:
    # By default, Fido2Server accepts the origin of any subdomain. Only the origin of the page is valid.
    origin = f"{request.scheme}://{request.get_host()}"
    host = PublicKeyCredentialRpEntity(id=_rp_id(request), name="Crosstable")
    return Fido2Server(host, verify_origin=lambda signed: signed == origin)


def _credential_data(passkeys: list[Passkey]) -> list[AttestedCredentialData]:
    return [AttestedCredentialData(bytes(each.credential)) for each in passkeys]


def new_options(request: HttpRequest) -> str:
    """Return the options of `navigator.credentials.create` as JSON. The session stores the challenge."""
    user = request.user
    # stored on the device, so it contains no name
    handle = salted_hmac("tournaments.passkey", str(user.pk)).digest()
    name = user.get_username()
    about = PublicKeyCredentialUserEntity(id=handle, name=name, display_name=name)
    options, request.session[STATE] = _fido2_server(request).register_begin(
        about,
        _credential_data(passkeys_of(request)),
        resident_key_requirement=ResidentKeyRequirement.PREFERRED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return json.dumps(dict(options)["publicKey"])


def options_to_show(request: HttpRequest, passkeys: list[Passkey]) -> str:
    """Return the options of `navigator.credentials.get` as JSON, empty without passkeys."""
    if not passkeys:
        return ""
    options, request.session[STATE] = _fido2_server(request).authenticate_begin(
        _credential_data(passkeys), UserVerificationRequirement.PREFERRED
    )
    return json.dumps(dict(options)["publicKey"])


def register(request: HttpRequest, name: str, answer: dict[str, Any]) -> Passkey:
    """Store the passkey that a browser created. Raise ValidationError if it does not match the challenge."""
    # Removed first: a challenge is valid for a single attempt.
    state = request.session.pop(STATE, None)
    try:
        auth_data = _fido2_server(request).register_complete(state, answer)
    except INVALID_RESPONSE:
        raise ValidationError(_("That passkey was not accepted. Try once more.")) from None
    passkey: Passkey = Passkey.objects.create(
        user_id=request.user.pk,
        name=name,
        host=_rp_id(request),
        credential=bytes(auth_data.credential_data or b""),
        counter=auth_data.counter,
    )
    return passkey


def verify(request: HttpRequest, answer: dict[str, Any]) -> Passkey | None:
    """Return the passkey that signed the challenge, and update its counter; None if verification fails."""
    state, passkeys = request.session.pop(STATE, None), passkeys_of(request)
    try:
        signed = _fido2_server(request).authenticate_complete(state, _credential_data(passkeys), answer)
        counter = AuthenticationResponse.from_dict(answer).response.authenticator_data.counter
    except INVALID_RESPONSE:
        return None
    passkey = next(each for each in passkeys if bytes(each.credential) == bytes(signed))
    # A counter that did not increase indicates a copied passkey. Passkeys of phones always send 0.
    not_copied = Passkey.objects.filter(Q(counter__lt=counter) | Q(counter=0), pk=passkey.pk)
    used = not_copied.update(counter=counter, last_used_at=timezone.now())
    return passkey if used else None


def show_passkey(request: HttpRequest, form: PasskeyForm) -> bool:
    """Verify the session with the submitted passkey. If that fails, return False and add a form error."""
    name = request.user.get_username()
    try:
        with attempt(request, name, Login.Step.PASSKEY) as login_attempt:
            passkey = verify(request, form.cleaned_data["credential"])
            if passkey:
                login_attempt.succeeded()
    except ValidationError as too_soon:
        form.add_error(None, too_soon)
        return False
    if not passkey:
        form.add_error(None, _("That passkey was not accepted. Try again, or use a code."))
        return False
    django_otp.login(request, passkey)
    request.session.cycle_key()
    return True


# --- views ------------------------------------------------------------------------------------------------


def passkeys(request: HttpRequest) -> HttpResponse:
    user = request.user
    rows = list(Passkey.objects.filter(user=user.pk))
    form = NewPasskeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            if len(rows) >= MAX_PASSKEYS:
                text = _("You have the maximum number of passkeys. Remove one that you do not use.")
                raise ValidationError(text)  # noqa: TRY301 - handled like those of register()
            return _register_and_verify(request, form)
        except ValidationError as refused:
            form.add_error(None, refused)
    about = {
        "form": form,
        "passkeys": rows,
        "options": new_options(request),
        "host": _rp_id(request),
        "is_required": needs_passkey(user),
        "title": _("Passkeys"),
    }
    return render(request, "admin/passkeys.html", {**admin.site.each_context(request), **about})


def _register_and_verify(request: HttpRequest, form: NewPasskeyForm) -> HttpResponse:
    user = who(request)
    with transaction.atomic():
        passkey = register(request, form.cleaned_data["name"], form.cleaned_data["credential"])
        note(user, user, _("Added the passkey “%(name)s”.") % {"name": passkey.name})
        is_first = not StaticDevice.objects.filter(user=user).exists()
        codes = new_backup_codes(user) if is_first else []
    django_otp.login(request, passkey)
    request.session.cycle_key()
    if codes:
        return show_codes(request, codes, is_new=True)
    messages.success(request, _("The passkey is saved. You need it at the next login."))
    return redirect("admin:passkeys")


def remove_passkey(request: HttpRequest, passkey_id: int) -> HttpResponse:
    passkey = get_object_or_404(Passkey, pk=passkey_id, user=request.user.pk)
    form = RemovalForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = who(request)
        passkey.delete()
        note(user, user, _("Removed the passkey “%(name)s”.") % {"name": passkey.name})
        messages.success(request, _("The passkey is removed here. Delete it from the device as well."))
        return redirect("admin:passkeys")
    about = {"form": form, "passkey": passkey, "title": _("Remove a passkey")}
    return render(request, "admin/passkey_remove.html", {**admin.site.each_context(request), **about})
