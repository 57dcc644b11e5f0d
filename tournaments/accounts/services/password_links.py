"""Single-use links that set a password, for invitations and forgotten passwords.

A link is signed with the password hash and the last login of the account, so it is invalid after its use and
not stored. It leads to Django's PasswordResetConfirmView, which removes the token from the URL before it
shows the form.
"""

import logging
from datetime import timedelta
from threading import Thread
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.mail import send_mail
from django.db.models import Q
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import base36_to_int, urlsafe_base64_encode

log = logging.getLogger(__name__)


class LinkTokens(PasswordResetTokenGenerator):
    """Tokens with a shorter lifetime than PASSWORD_RESET_TIMEOUT, which applies to invitations."""

    def __init__(self, salt: str, lifetime: timedelta) -> None:
        super().__init__()
        self.key_salt = salt
        self.lifetime = lifetime

    def check_token(self, user: Any, token: str | None) -> bool:
        """Return whether the token belongs to the user, is unused and has not expired."""
        if not super().check_token(user, token):
            return False
        issued = base36_to_int(str(token).partition("-")[0])
        return self._num_seconds(self._now()) - issued <= self.lifetime.total_seconds()


RESETS = LinkTokens("tournaments.reset", timedelta(hours=2))
INVITATIONS = LinkTokens("tournaments.invitation", timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT))


def path_of_link(user: User, tokens: LinkTokens = INVITATIONS) -> str:
    view = "admin:invited" if tokens is INVITATIONS else "admin:password-set"
    return reverse(view, args=[urlsafe_base64_encode(force_bytes(user.pk)), tokens.make_token(user)])


def mail_link(request: HttpRequest, user: User, tokens: LinkTokens = INVITATIONS) -> None:
    """Mail the link to the user. Raise OSError or an smtplib exception if the mail server rejects it."""
    name = "invitation" if tokens is INVITATIONS else "reset"
    context = {
        "name": user.get_username(),
        "link": request.build_absolute_uri(path_of_link(user, tokens)),
        "host": request.get_host(),
        "days": tokens.lifetime.days,
        "hours": int(tokens.lifetime.total_seconds()) // 3600,
    }
    subject, _blank, text = render_to_string(f"admin/accounts/mail_{name}.txt", context).partition("\n\n")
    send_mail(subject.strip(), text, None, [user.email])


def start_reset_mails(request: HttpRequest, name: str) -> None:
    # In a thread: the time of the response would reveal that an account exists.
    name_or_email = Q(username=name) | Q(email__iexact=name)
    users = User.objects.filter(name_or_email, is_active=True, is_staff=True).exclude(email="")
    Thread(target=_mail_reset_links, args=(request, list(users[:5])), daemon=True).start()


def _mail_reset_links(request: HttpRequest, users: list[User]) -> None:
    for user in users:
        try:
            mail_link(request, user, RESETS)
        except Exception as fault:  # noqa: BLE001 - only the log is left, and it must not contain names
            log.error("a mail for a new password was not sent: %s", type(fault).__name__)  # noqa: TRY400 - the same
