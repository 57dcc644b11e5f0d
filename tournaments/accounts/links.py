"""Links that set a password: of an invitation, and by mail for who has forgotten his. Each works once.

A link is signed with the password and the last login of the account, so that it is spent by its use; nothing
is stored. It leads to Django's own view, which takes the token out of the address before the form is shown.
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
    """Tokens that last a shorter time than PASSWORD_RESET_TIMEOUT, which is that of invitations."""

    def __init__(self, salt: str, lasts: timedelta) -> None:
        super().__init__()
        self.key_salt = salt
        self.lasts = lasts

    def check_token(self, user: Any, token: str | None) -> bool:
        """Say whether the token is one of this account's, not spent, and young enough."""
        if not super().check_token(user, token):
            return False
        made = base36_to_int(str(token).partition("-")[0])
        return self._num_seconds(self._now()) - made <= self.lasts.total_seconds()


RESETS = Tokens("tournaments.reset", RESET_LASTS)
INVITATIONS = Tokens("tournaments.invitation", timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT))


def note(by: User, about: User, words: str) -> None:
    """Keep who did what to an account, for the page of the account."""
    # It stays for ever, so the words hold no address and no link.
    rows = User.objects.filter(pk=about.pk)
    LogEntry.objects.log_actions(by.pk, rows, CHANGE, words, single_object=True)


def link_for(request: HttpRequest, user: User, tokens: Tokens) -> str:
    """Return the whole address at which the account sets its password."""
    view = "admin:invited" if tokens is INVITATIONS else "admin:password-set"
    place = reverse(view, args=[urlsafe_base64_encode(force_bytes(user.pk)), tokens.make_token(user)])
    return request.build_absolute_uri(place)


def mail_link(request: HttpRequest, user: User, tokens: Tokens) -> None:
    """Send the account a link; raise what the mail server says, an OSError or one of smtplib's."""
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


# --- asked for by who has forgotten his password ----------------------------------------------------------


class ForgottenForm(forms.Form):
    """A name or a mail address; what comes of it is the same whoever has it."""

    name = forms.CharField(
        label=gettext_lazy("Name or mail address"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean(self) -> dict[str, Any]:
        """Return the values; ValidationError where somebody asks too often."""
        cleaned: dict[str, Any] = super().clean() or {}
        if "name" in cleaned:
            with attempt(self.request, cleaned["name"], Login.Step.RESET) as tried:
                tried.outcome = Login.Outcome.RIGHT  # counted all the same: asking is what must not be often
        return cleaned


def accounts_of(name: str) -> QuerySet[User]:
    """Return the open accounts that a name or mail address may be of, and that a mail reaches."""
    asked = Q(username=name) | Q(email__iexact=name)
    return User.objects.filter(asked, is_active=True, is_staff=True).exclude(email="")


@never_cache
@csrf_protect
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link to the account whose name or mail address is given, and say the same if there is none."""
    form = ForgottenForm(request, request.POST or None)
    is_asked = request.method == "POST" and sends_mail() and form.is_valid()
    if is_asked:
        # The mail server takes its time: an answer that waited for it would tell that there is an account.
        found = list(accounts_of(form.cleaned_data["name"])[:5])
        Thread(target=_mail_all, args=(request, found), daemon=True).start()
    purpose = _("A link by which you set a new password comes by mail.")
    about = {
        "form": form,
        "is_asked": is_asked,
        "sends_mail": sends_mail(),
        "hours": RESET_LASTS.seconds // 3600,
    }
    return page(request, None, "password_forgotten", _("Forgotten password"), purpose, **about)


def _mail_all(request: HttpRequest, users: list[User]) -> None:
    """Mail each account its link; a thread of its own, without the database."""
    for user in users:
        try:
            mail_link(request, user, RESETS)
        except Exception as fault:  # noqa: BLE001 - nobody is left to tell but the log, which must not name anybody
            log.error("a mail for a new password was not sent: %s", type(fault).__name__)  # noqa: TRY400 - the same


# --- followed ---------------------------------------------------------------------------------------------


class NewPasswordView(PasswordResetConfirmView):
    """The page behind a link: it sets the password, ends all sessions and leads to the login."""

    template_name = "admin/password_set.html"
    success_url = reverse_lazy("admin:login")
    token_generator: Tokens = RESETS
    reset_url_token = "set"  # noqa: S105 - what the address ends with in place of the token

    def get_user(self, uidb64: str) -> Any:
        """Return the account; None for one that is closed, whose link leads nowhere."""
        user = super().get_user(uidb64)
        return user if user and user.is_active else None

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return what the page shows."""
        return {
            **admin.site.each_context(self.request),
            **super().get_context_data(**kwargs),
            "title": self.title,
            "purpose": _("You log in with it from now on; whoever is logged in now is logged out."),
        }

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password; whoever was logged in with the old one is not any more."""
        answer = super().form_valid(form)
        account = cast("User", self.user)  # else the link would not have been valid
        end_sessions(account)
        note(account, account, _("Set a password by a link."))
        return answer


set_password = NewPasswordView.as_view(title=gettext_lazy("New password"))
accept = NewPasswordView.as_view(title=gettext_lazy("Choose your password"), token_generator=INVITATIONS)
