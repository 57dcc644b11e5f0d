"""Single-use links that set a password, for invitations and forgotten passwords.

A link is signed with the password hash and the last login of the account, so it is invalid after its use and
not stored. It leads to Django's PasswordResetConfirmView, which removes the token from the URL before it
shows the form.
"""

import logging
from datetime import timedelta
from threading import Thread
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.mail import send_mail
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse, reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.http import base36_to_int, urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

from tournaments.accounts.sessions import end_sessions
from tournaments.accounts.throttle import attempt
from tournaments.admin.frame import page, sends_mail
from tournaments.models import Login

log = logging.getLogger(__name__)

RESET_LASTS = timedelta(hours=2)


class Tokens(PasswordResetTokenGenerator):
    """Tokens with a shorter lifetime than PASSWORD_RESET_TIMEOUT, which applies to invitations."""

    def __init__(self, salt: str, lasts: timedelta) -> None:
        super().__init__()
        self.key_salt = salt
        self.lasts = lasts

    def check_token(self, user: Any, token: str | None) -> bool:
        """Return whether the token belongs to the user, is unused and has not expired."""
        if not super().check_token(user, token):
            return False
        issued = base36_to_int(str(token).partition("-")[0])
        return self._num_seconds(self._now()) - issued <= self.lasts.total_seconds()


RESETS = Tokens("tournaments.reset", RESET_LASTS)
INVITATIONS = Tokens("tournaments.invitation", timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT))


def note(by: User, about: User, words: str) -> None:
    """Record what the user `by` did with an account, for the account's page."""
    # Records are permanent, so `words` must not contain mail addresses or links.
    rows = User.objects.filter(pk=about.pk)
    LogEntry.objects.log_actions(by.pk, rows, CHANGE, words, single_object=True)


def link_for(request: HttpRequest, user: User, tokens: Tokens) -> str:
    view = "admin:invited" if tokens is INVITATIONS else "admin:password-set"
    place = reverse(view, args=[urlsafe_base64_encode(force_bytes(user.pk)), tokens.make_token(user)])
    return request.build_absolute_uri(place)


def mail_link(request: HttpRequest, user: User, tokens: Tokens) -> None:
    """Mail the link to the user. Raise OSError or an smtplib exception if the mail server rejects it."""
    name = "invitation" if tokens is INVITATIONS else "reset"
    about = {
        "name": user.get_username(),
        "link": link_for(request, user, tokens),
        "host": request.get_host(),
        "days": tokens.lasts.days,
        "hours": int(tokens.lasts.total_seconds()) // 3600,
    }
    subject, _blank, text = render_to_string(f"admin/mail_{name}.txt", about).partition("\n\n")
    send_mail(subject.strip(), text, None, [user.email])


# --- requests for a new password --------------------------------------------------------------------------


class ForgottenForm(forms.Form):
    """A name or mail address. The response does not reveal whether an account exists."""

    name = forms.CharField(
        label=gettext_lazy("Name or mail address"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if "name" in cleaned:
            with attempt(self.request, cleaned["name"], Login.Step.RESET) as login_attempt:
                login_attempt.outcome = (
                    Login.Outcome.RIGHT
                )  # requests are limited, so this one remains counted
        return cleaned


def accounts_of(name: str) -> QuerySet[User]:
    """Return the active accounts with this name or mail address that have a mail address."""
    name_or_email = Q(username=name) | Q(email__iexact=name)
    return User.objects.filter(name_or_email, is_active=True, is_staff=True).exclude(email="")


@never_cache
@csrf_protect
def forgotten(request: HttpRequest) -> HttpResponse:
    """Mail a link to the account with this name or mail address. The page is the same if there is none."""
    form = ForgottenForm(request, request.POST or None)
    is_requested = request.method == "POST" and sends_mail() and form.is_valid()
    if is_requested:
        # In a thread: the time of the response would reveal that an account exists.
        accounts = list(accounts_of(form.cleaned_data["name"])[:5])
        Thread(target=_mail_reset_links, args=(request, accounts), daemon=True).start()
    purpose = _("A link by which you set a new password comes by mail.")
    about = {
        "form": form,
        "is_asked": is_requested,
        "sends_mail": sends_mail(),
        "hours": RESET_LASTS.seconds // 3600,
    }
    return page(request, None, "password_forgotten", _("Forgotten password"), purpose, **about)


def _mail_reset_links(request: HttpRequest, users: list[User]) -> None:
    for user in users:
        try:
            mail_link(request, user, RESETS)
        except Exception as fault:  # noqa: BLE001 - only the log is left, and it must not contain names
            log.error("a mail for a new password was not sent: %s", type(fault).__name__)  # noqa: TRY400 - the same


# --- setting the password ---------------------------------------------------------------------------------


class NewPasswordView(PasswordResetConfirmView):
    """Set the password of a valid link, end all sessions and redirect to the login."""

    template_name = "admin/password_set.html"
    success_url = reverse_lazy("admin:login")
    token_generator: Tokens = RESETS
    reset_url_token = "set"  # noqa: S105 - replaces the token in the URL

    def get_user(self, uidb64: str) -> Any:
        user = super().get_user(uidb64)
        return user if user and user.is_active else None

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {
            **admin.site.each_context(self.request),
            **super().get_context_data(**kwargs),
            "title": self.title,
            "purpose": _("Use this name to log in from now on. Users who are logged in now are logged out."),
        }

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        account = cast("User", self.user)  # otherwise the link would not be valid
        end_sessions(account)
        note(account, account, _("Set a password by a link."))
        return answer


set_password = NewPasswordView.as_view(title=gettext_lazy("New password"))
accept = NewPasswordView.as_view(title=gettext_lazy("Choose your password"), token_generator=INVITATIONS)
