"""Passkeys of one's own account: make several, see when each was used, remove them; show one at the login.

What a browser asks the authenticator stands in the page, and its answer comes back in an ordinary form: the
script (static/js/passkeys.js) carries it from one to the other and knows no address. The domain of a passkey
is the host that was asked for, which is one of ALLOWED_HOSTS; another origin is refused.
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
"""The key of the session under which the challenge waits that the next answer has to sign."""

MOST = 20
"""Passkeys of one account."""

LONGEST_ANSWER = 20_000
REFUSED = (ValueError, KeyError, TypeError, AttributeError, AssertionError)
"""What the package raises for an answer that is wrong, or that no browser wrote."""


class PasskeyForm(forms.Form):
    """What the authenticator answered, which the script fills in; for a new one, what it is called."""

    credential = forms.CharField(max_length=LONGEST_ANSWER, widget=forms.HiddenInput)

    def clean_credential(self) -> dict[str, Any]:
        """Return the answer as a tree."""
        try:
            answer = json.loads(self.cleaned_data["credential"])
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise ValidationError(_("The browser sent no passkey. Try again."))
        return answer


class NewPasskeyForm(PasskeyForm):
    """A new passkey."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=64,
        help_text=gettext_lazy("What you call it, such as the phone or key that it is on."),
    )


class RemovalForm(forms.Form):
    """A password, against which a passkey is removed: a borrowed browser is not enough."""

    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        """Return the password; ValidationError where it is wrong or was tried too often."""
        user = self.request.user
        with attempt(self.request, user.get_username(), Login.Step.OLD_PASSWORD) as tried:
            if not user.check_password(self.cleaned_data["password"]):
                raise ValidationError(_("That is not your password."))
            tried.succeeded(Login.Outcome.RIGHT)
        return str(self.cleaned_data["password"])


# --- who needs one ----------------------------------------------------------------------------------------


def needs_passkey(user: Any) -> bool:
    """Say whether the setting PASSKEY_REQUIRED_FOR names a role of the account."""
    required = set(settings.PASSKEY_REQUIRED_FOR)
    if not required:
        return False
    roles = {f"{role.lower()}s" for role in roles_of(user)} | ({"superusers"} if user.is_superuser else set())
    return bool(required & roles)


def passkeys_of(request: HttpRequest) -> list[Passkey]:
    """Return the account's passkeys that this host may ask for; one query."""
    return list(Passkey.objects.filter(user=request.user.pk, host=_host(request)))


def has_shown_passkey(user: Any) -> bool:
    """Say whether the session has shown a passkey, or the backup code of who has lost his."""
    return isinstance(getattr(user, "otp_device", None), Passkey | StaticDevice)


# --- what browsers are asked, and answer ------------------------------------------------------------------


def _host(request: HttpRequest) -> str:
    return split_domain_port(request.get_host())[0]


def _server(request: HttpRequest) -> Fido2Server:
    # The package would take the origin of any subdomain; ours is the one that the page came from.
    origin = f"{request.scheme}://{request.get_host()}"
    host = PublicKeyCredentialRpEntity(id=_host(request), name="Crosstable")
    return Fido2Server(host, verify_origin=lambda signed: signed == origin)


def _credentials(passkeys: list[Passkey]) -> list[AttestedCredentialData]:
    return [AttestedCredentialData(bytes(each.credential)) for each in passkeys]


def new_options(request: HttpRequest) -> str:
    """Return, as JSON, what a browser is asked for a new passkey; its challenge waits in the session."""
    user = request.user
    handle = salted_hmac("tournaments.passkey", str(user.pk)).digest()  # it lies on the device: no name in it
    name = user.get_username()
    about = PublicKeyCredentialUserEntity(id=handle, name=name, display_name=name)
    options, request.session[STATE] = _server(request).register_begin(
        about,
        _credentials(passkeys_of(request)),
        resident_key_requirement=ResidentKeyRequirement.PREFERRED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return json.dumps(dict(options)["publicKey"])


def options_to_show(request: HttpRequest, passkeys: list[Passkey]) -> str:
    """Return, as JSON, what a browser is asked to sign with one of these; blank where there are none."""
    if not passkeys:
        return ""
    options, request.session[STATE] = _server(request).authenticate_begin(
        _credentials(passkeys), UserVerificationRequirement.PREFERRED
    )
    return json.dumps(dict(options)["publicKey"])


def register(request: HttpRequest, name: str, answer: dict[str, Any]) -> Passkey:
    """Store the passkey that a browser made. Raise `ValidationError` where it is none of what was asked."""
    # Taken out first: a challenge is signed once, whatever comes of it.
    state = request.session.pop(STATE, None)
    try:
        made = _server(request).register_complete(state, answer)
    except REFUSED:
        raise ValidationError(_("That passkey was not accepted. Try once more.")) from None
    passkey: Passkey = Passkey.objects.create(
        user_id=request.user.pk,
        name=name,
        host=_host(request),
        credential=bytes(made.credential_data or b""),
        counter=made.counter,
    )
    return passkey


def verify(request: HttpRequest, answer: dict[str, Any]) -> Passkey | None:
    """Return the account's passkey that signed the challenge, noted as used; None where none did."""
    state, passkeys = request.session.pop(STATE, None), passkeys_of(request)
    try:
        signed = _server(request).authenticate_complete(state, _credentials(passkeys), answer)
        counter = AuthenticationResponse.from_dict(answer).response.authenticator_data.counter
    except REFUSED:
        return None
    passkey = next(each for each in passkeys if bytes(each.credential) == bytes(signed))
    # One that has counted on elsewhere has been copied. Those of phones do not count: always 0.
    not_used_since = Passkey.objects.filter(Q(counter__lt=counter) | Q(counter=0), pk=passkey.pk)
    used = not_used_since.update(counter=counter, last_used_at=timezone.now())
    return passkey if used else None


def show_passkey(request: HttpRequest, form: PasskeyForm) -> bool:
    """Verify the session by the passkey that the form brought; else the form says why not."""
    name = request.user.get_username()
    try:
        with attempt(request, name, Login.Step.PASSKEY) as tried:
            passkey = verify(request, form.cleaned_data["credential"])
            if passkey:
                tried.succeeded()
    except ValidationError as early:
        form.add_error(None, early)
        return False
    if not passkey:
        form.add_error(None, _("That passkey was not accepted. Try again, or use a code."))
        return False
    django_otp.login(request, passkey)
    request.session.cycle_key()
    return True


# --- the screen -------------------------------------------------------------------------------------------


def passkeys(request: HttpRequest) -> HttpResponse:
    """List the account's passkeys, make a new one, or lead to what removes one."""
    user = request.user
    rows = list(Passkey.objects.filter(user=user.pk))
    form = NewPasskeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            if len(rows) >= MOST:
                raise ValidationError(_("That are enough: remove one that you do not use."))  # noqa: TRY301 - as those of register()
            return _registered(request, form)
        except ValidationError as refused:
            form.add_error(None, refused)
    about = {
        "form": form,
        "passkeys": rows,
        "options": new_options(request),
        "host": _host(request),
        "is_required": needs_passkey(user),
        "title": _("Passkeys"),
    }
    return render(request, "admin/passkeys.html", {**admin.site.each_context(request), **about})


def _registered(request: HttpRequest, form: NewPasskeyForm) -> HttpResponse:
    """Store the passkey, verify the session by it, and show backup codes where the account has none."""
    user = who(request)
    with transaction.atomic():
        passkey = register(request, form.cleaned_data["name"], form.cleaned_data["credential"])
        note(user, user, _("Added the passkey “%(name)s”.") % {"name": passkey.name})
        is_first = not StaticDevice.objects.filter(user=user).exists()
        codes = new_backup_codes(user) if is_first else []
    django_otp.login(request, passkey)
    request.session.cycle_key()
    if codes:
        return show_codes(request, codes, made=True)
    messages.success(request, _("The passkey is yours. It is asked for at the next login."))
    return redirect("admin:passkeys")


def remove_passkey(request: HttpRequest, passkey_id: int) -> HttpResponse:
    """Ask for the password and remove a passkey of one's own."""
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
