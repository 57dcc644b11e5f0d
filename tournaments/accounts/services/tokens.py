"""Tokens of the write API: created and revoked at the desk, checked with every request."""

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from secrets import token_urlsafe
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.accounts.models import ApiToken
from tournaments.accounts.services.users import log_change

PREFIX = "ct_"
SECRET_BYTES = 32  # 43 characters
BETWEEN_USES = timedelta(minutes=1)


def _digest(secret: str) -> str:
    # A fast hash is enough, because the secret is random.
    return sha256(secret.encode()).hexdigest()


@transaction.atomic
def create_token(user: User, values: Mapping[str, Any]) -> tuple[ApiToken, str]:
    """Create a token from the values of a TokenForm. Return it with its secret."""
    secret = PREFIX + token_urlsafe(SECRET_BYTES)
    stored = {name: values[name] for name in ("name", "actions", "all_events", "ends")}
    token = ApiToken.objects.create(user=user, digest=_digest(secret), **stored)
    token.events.set([] if token.all_events else values["events"])
    log_change(user, user, _("Created the API token “%(name)s”.") % {"name": token.name})
    return token, secret


def revoke_token(by: User, token: ApiToken) -> None:
    if ApiToken.objects.filter(pk=token.pk, revoked=None).update(revoked=timezone.now()):
        log_change(by, token.user, _("Revoked the API token “%(name)s”.") % {"name": token.name})


def token_of(secret: str) -> ApiToken | None:
    """Return the valid token with this secret of an account that is not closed, and store its use."""
    token = ApiToken.objects.select_related("user").filter(digest=_digest(secret)).first()
    if token is None or not (token.is_valid and token.user.is_active):
        return None
    now = timezone.now()
    if token.last_used is None or now - token.last_used >= BETWEEN_USES:
        ApiToken.objects.filter(pk=token.pk).update(last_used=now)
    return token


def log_use(token: ApiToken, text: str) -> None:
    log_change(token.user, token.user, f"{token.name}: {text}")
