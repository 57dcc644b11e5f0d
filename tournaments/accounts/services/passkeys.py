"""Passkeys: register them, and verify them at login.

The page contains the options for `navigator.credentials`, and the response of the authenticator is posted in
an ordinary form by static/js/passkeys.js. The relying party is the host of the request, which is in
ALLOWED_HOSTS. Other origins are rejected.
"""

import json
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from tournaments.accounts.models import Login, Passkey
from tournaments.accounts.services.login_delays import login_attempt
from tournaments.accounts.services.roles import roles_of

STATE = "passkey"
"""The session key of the pending challenge."""

MAX_PASSKEYS = 20
"""The maximum number of passkeys per account."""

INVALID_RESPONSE = (ValueError, KeyError, TypeError, AttributeError, AssertionError)
"""Exceptions of the fido2 package for responses that are invalid or malformed."""


def needs_passkey(user: Any) -> bool:
    required = set(settings.PASSKEY_REQUIRED_FOR)
    if not required:
        return False
    roles = {f"{role.lower()}s" for role in roles_of(user)} | ({"superusers"} if user.is_superuser else set())
    return bool(required & roles)


def relying_party(request: HttpRequest) -> str:
    """Return the host that passkeys registered by this request are for."""
    return split_domain_port(request.get_host())[0]


def registration_options(request: HttpRequest) -> str:
    """Return the options of `navigator.credentials.create` as JSON. The session stores the challenge."""
    user = request.user
    # stored on the device, so it contains no name
    handle = salted_hmac("tournaments.passkey", str(user.pk), algorithm="sha1").digest()
    name = user.get_username()
    options, request.session[STATE] = _fido2_server(request).register_begin(
        PublicKeyCredentialUserEntity(id=handle, name=name, display_name=name),
        _credential_data(_usable_passkeys(request)),
        resident_key_requirement=ResidentKeyRequirement.PREFERRED,
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return json.dumps(dict(options)["publicKey"])


def login_options(request: HttpRequest) -> str:
    """Return the options of `navigator.credentials.get` as JSON, empty without passkeys. One query."""
    passkeys = _usable_passkeys(request)
    if not passkeys:
        return ""
    options, request.session[STATE] = _fido2_server(request).authenticate_begin(
        _credential_data(passkeys), UserVerificationRequirement.PREFERRED
    )
    return json.dumps(dict(options)["publicKey"])


def register(request: HttpRequest, name: str, credential: dict[str, Any]) -> Passkey:
    """Store the passkey that a browser created. Raise ValidationError if it does not match the challenge."""
    if Passkey.objects.filter(user=request.user.pk).count() >= MAX_PASSKEYS:
        raise ValidationError(_("You have the maximum number of passkeys. Remove one that you do not use."))
    # Removed first: a challenge is valid for a single attempt.
    state = request.session.pop(STATE, None)
    try:
        auth_data = _fido2_server(request).register_complete(state, credential)
    except INVALID_RESPONSE:
        raise ValidationError(_("That passkey was not accepted. Try once more.")) from None
    passkey: Passkey = Passkey.objects.create(
        user_id=request.user.pk,
        name=name,
        host=relying_party(request),
        credential=bytes(auth_data.credential_data or b""),
        counter=auth_data.counter,
    )
    return passkey


def accepted_passkey(request: HttpRequest, credential: dict[str, Any]) -> Passkey:
    """Return the passkey that signed the challenge. Raise ValidationError otherwise, or if delayed."""
    with login_attempt(request, request.user.get_username(), Login.Step.PASSKEY) as attempt:
        passkey = _verify(request, credential)
        if not passkey:
            raise ValidationError(_("That passkey was not accepted. Try again, or use a code."))
        attempt.succeeded()
    return passkey


def _verify(request: HttpRequest, credential: dict[str, Any]) -> Passkey | None:
    state, passkeys = request.session.pop(STATE, None), _usable_passkeys(request)
    try:
        signed = _fido2_server(request).authenticate_complete(state, _credential_data(passkeys), credential)
        counter = AuthenticationResponse.from_dict(credential).response.authenticator_data.counter
    except INVALID_RESPONSE:
        return None
    passkey = next(each for each in passkeys if bytes(each.credential) == bytes(signed))
    # A counter that did not increase indicates a copied passkey. Passkeys of phones always send 0.
    not_copied = Passkey.objects.filter(Q(counter__lt=counter) | Q(counter=0), pk=passkey.pk)
    return passkey if not_copied.update(counter=counter, last_used_at=timezone.now()) else None


def _usable_passkeys(request: HttpRequest) -> list[Passkey]:
    return list(Passkey.objects.filter(user=request.user.pk, host=relying_party(request)))


def _fido2_server(request: HttpRequest) -> Fido2Server:
    # By default, Fido2Server accepts the origin of any subdomain. Only the origin of the page is valid.
    origin = f"{request.scheme}://{request.get_host()}"
    host = PublicKeyCredentialRpEntity(id=relying_party(request), name="Crosstable")
    return Fido2Server(host, verify_origin=lambda signed: signed == origin)


def _credential_data(passkeys: list[Passkey]) -> list[AttestedCredentialData]:
    return [AttestedCredentialData(bytes(each.credential)) for each in passkeys]
