"""Views about accounts: sessions, passwords, passkeys and second factor of the user; accounts of others."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import django_otp
from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth import logout
from django.contrib.auth.decorators import user_passes_test
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordResetConfirmView
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from tournaments.accounts import forms
from tournaments.accounts.models import ApiToken, Passkey, Session
from tournaments.accounts.services import password_links
from tournaments.accounts.services.passkeys import (
    login_options,
    needs_passkey,
    register,
    registration_options,
    relying_party,
)
from tournaments.accounts.services.roles import Role, manageable, roles_of
from tournaments.accounts.services.second_factor import (
    has_authenticator,
    has_second_factor,
    key_text,
    missing_step,
    new_backup_codes,
    remove_second_factor,
    time_step_of,
)
from tournaments.accounts.services.sessions import device_name, end_access, end_sessions, form_value
from tournaments.accounts.services.tokens import create_token, revoke_token
from tournaments.accounts.services.users import (
    assign_events,
    change_email,
    create_account,
    expire_invitations,
    log_change,
    reset_second_factor,
    set_active,
)
from tournaments.admin.frame import page, sends_mail, who
from tournaments.admin.permissions import View, organisers_only
from tournaments.event.numbers import whole_number
from tournaments.hall.links import qr_code
from tournaments.models import Event
from tournaments.recording.integrity import Taken
from tournaments.recording.locking import saving

MAX_ACCOUNTS = 500
MAX_LOG_ENTRIES = 50

KEY_BYTES = 20
KEY_IN_SESSION = "second-factor-key"
"""The session key for the key of an authenticator that is not set up yet."""


def own_account(view: View) -> View:
    """Decorate a view for users who have logged in by password, verified by a second factor or not."""
    # admin_view() would require the second factor, which these views verify or set up.
    return never_cache(csrf_protect(staff_member_required(view)))


def second_factor_required(view: View) -> View:
    """Decorate a view like `own_account`, but require the second factor if the user has one."""
    url = "admin:second-factor"
    return own_account(user_passes_test(lambda user: missing_step(user) != url, url)(view))


def _render(request: HttpRequest, template: str, title: str, **context: Any) -> HttpResponse:
    """Render a page about secrets. Unlike `page` of the desk, it never lets the browser store the page."""
    context = {**admin.site.each_context(request), "title": title, **context}
    return render(request, f"admin/accounts/{template}.html", context)


# --- sessions ---------------------------------------------------------------------------------------------


@admin.site.admin_view
def account(request: HttpRequest) -> HttpResponse:
    current_key = request.session.session_key
    sessions = Session.objects.filter(user=who(request), expire_date__gt=timezone.now()).order_by("-seen")
    if request.method == "POST":
        return _end_session(request, list(sessions))
    rows = [
        {
            "session": session,
            "form_value": form_value(session),
            "device": device_name(session.browser),
            "is_current": session.session_key == current_key,
        }
        for session in sessions
    ]
    purpose = _("Your open sessions, and your ways to log in.")
    return page(request, None, "accounts/account", _("Your account"), purpose, rows=rows)


def _end_session(request: HttpRequest, sessions: list[Session]) -> HttpResponse:
    posted, current_key = request.POST.get("end", ""), request.session.session_key or ""
    if posted == "others":
        ended = end_sessions(who(request), but=current_key)
        text = ngettext("%(ended)d browser is logged out.", "%(ended)d browsers are logged out.", ended)
        messages.success(request, text % {"ended": ended})
        return redirect("admin:account")
    for session in sessions:
        if constant_time_compare(form_value(session), posted):
            if session.session_key == current_key:
                logout(request)
                return redirect("admin:login")
            session.delete()
            messages.success(request, _("That browser is logged out."))
    return redirect("admin:account")


# --- tokens of the write API ------------------------------------------------------------------------------


@admin.site.admin_view
def api_tokens(request: HttpRequest) -> HttpResponse:
    """List the user's tokens, for superusers all; create and revoke them. The secret is shown once."""
    user = who(request)
    if not roles_of(user):
        raise PermissionDenied
    tokens = ApiToken.objects.select_related("user").prefetch_related("events")
    if not user.is_superuser:
        tokens = tokens.filter(user=user)
    if "revoke" in request.POST:
        token = get_object_or_404(tokens, pk=whole_number(request.POST["revoke"]))
        revoke_token(user, token)
        messages.success(request, _("The token “%(name)s” is revoked.") % {"name": token.name})
        return redirect("admin:api-tokens")
    form = forms.TokenForm(user, request.POST or None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        _token, secret = create_token(user, form.cleaned_data)
        form = forms.TokenForm(user)
    purpose = _("Tokens let other programs write to this site with the permissions of your account.")
    context = {"form": form, "tokens": tokens, "secret": secret}
    return _render(request, "api_tokens", _("API tokens"), purpose=purpose, **context)


# --- passwords --------------------------------------------------------------------------------------------


@never_cache
@csrf_protect
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """Mail a link to the account with this name or mail address. The page does not reveal if there is one."""
    form = forms.ForgottenPasswordForm(request, request.POST or None)
    is_requested = request.method == "POST" and sends_mail() and form.is_valid()
    if is_requested:
        password_links.start_reset_mails(request, form.cleaned_data["name"])
    purpose = _("A link by which you set a new password comes by mail.")
    context = {
        "form": form,
        "is_requested": is_requested,
        "sends_mail": sends_mail(),
        "hours": password_links.RESETS.lifetime.seconds // 3600,
    }
    return page(request, None, "accounts/password_forgotten", _("Forgotten password"), purpose, **context)


class PasswordLinkView(PasswordResetConfirmView):
    """Set the password of a valid link, end all sessions and redirect to the login."""

    template_name = "admin/accounts/password_set.html"
    success_url = reverse_lazy("admin:login")
    token_generator: password_links.LinkTokens = password_links.RESETS
    reset_url_token = "set"  # noqa: S105 - replaces the token in the URL

    def get_user(self, uidb64: str) -> Any:
        user = super().get_user(uidb64)
        return user if user and user.is_active else None

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {
            **admin.site.each_context(self.request),
            **super().get_context_data(**kwargs),
            "title": self.title,
            "purpose": _("Log in by this name from now on. Open sessions end, and API tokens are revoked."),
        }

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        account = cast("User", self.user)  # the link is valid
        end_access(account)
        log_change(account, account, _("Set a password by a link."))
        return response


set_password = PasswordLinkView.as_view(title=gettext_lazy("New password"))
accept_invitation = PasswordLinkView.as_view(
    title=gettext_lazy("Choose your password"), token_generator=password_links.INVITATIONS
)


# --- passkeys ---------------------------------------------------------------------------------------------


@second_factor_required
def passkeys(request: HttpRequest) -> HttpResponse:
    form = forms.NewPasskeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            return _register_and_verify(request, form)
        except ValidationError as error:
            form.add_error(None, error)
    context = {
        "form": form,
        "passkeys": Passkey.objects.filter(user=request.user.pk),
        "options": registration_options(request),
        "host": relying_party(request),
        "is_required": needs_passkey(request.user),
    }
    return _render(request, "passkeys", _("Passkeys"), **context)


def _register_and_verify(request: HttpRequest, form: forms.NewPasskeyForm) -> HttpResponse:
    user = who(request)
    with transaction.atomic():
        passkey = register(request, form.cleaned_data["name"], form.cleaned_data["credential"])
        log_change(user, user, _("Added the passkey “%(name)s”.") % {"name": passkey.name})
        is_first = not StaticDevice.objects.filter(user=user).exists()
        codes = new_backup_codes(user) if is_first else []
    _verify_session(request, passkey)
    if codes:
        return _render(request, "second_factor_backup", _("Backup codes"), codes=codes, is_new=True)
    messages.success(request, _("The passkey is saved. You need it at the next login."))
    return redirect("admin:passkeys")


@second_factor_required
def remove_passkey(request: HttpRequest, passkey_id: int) -> HttpResponse:
    passkey = get_object_or_404(Passkey, pk=passkey_id, user=request.user.pk)
    form = forms.PasskeyRemovalForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = who(request)
        passkey.delete()
        log_change(user, user, _("Removed the passkey “%(name)s”.") % {"name": passkey.name})
        messages.success(request, _("The passkey is removed here. Delete it from the device as well."))
        return redirect("admin:passkeys")
    return _render(request, "passkey_remove", _("Remove a passkey"), form=form, passkey=passkey)


# --- the second factor ------------------------------------------------------------------------------------


@own_account
def second_factor(request: HttpRequest) -> HttpResponse:
    """Verify the session by the second factor, or show the status of the factor if it is verified."""
    user = request.user
    if not has_second_factor(user):
        return redirect("admin:second-factor-setup")
    if _is_verified(request) and missing_step(user) != "admin:second-factor":
        return _status(request, forms.CodeForm()) if has_authenticator(user) else redirect("admin:passkeys")
    is_passkey = "credential" in request.POST
    form = forms.CodeCheckForm(request, None if is_passkey else request.POST or None)
    passkey_form = forms.PasskeyCheckForm(request, request.POST if is_passkey else None)
    submitted: forms.CodeCheckForm | forms.PasskeyCheckForm = passkey_form if is_passkey else form
    if submitted.is_valid():
        _verify_session(request, submitted.device)
        return redirect(_next_url(request))
    context = {
        "form": form,
        "passkey_form": passkey_form,
        "options": login_options(request),
        "is_required": needs_passkey(user),
        "next": _next_url(request),
    }
    return _render(request, "second_factor_code", _("Second factor"), **context)


@second_factor_required
def set_up_authenticator(request: HttpRequest) -> HttpResponse:
    """Show a new key. The first valid code makes it the user's second factor."""
    if has_authenticator(request.user):
        return redirect("admin:second-factor")
    # The same key until the first valid code: a reload must not change the key that was scanned.
    key = request.session.setdefault(KEY_IN_SESSION, random_hex(KEY_BYTES))
    device = TOTPDevice(user=request.user, name="authenticator", key=key)
    form = forms.CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        step = time_step_of(device, form.cleaned_data["code"])
        if step is not None:
            device.last_t = step
            with transaction.atomic():
                device.save()
                codes = new_backup_codes(request.user)
            # The session must not reveal the key of the device.
            del request.session[KEY_IN_SESSION]
            _verify_session(request, device)
            return _render(request, "second_factor_backup", _("Backup codes"), codes=codes, is_new=True)
        form.add_error(
            "code", _("That is not the code of this moment. Check the device's clock, type the next.")
        )
    picture = qr_code(device.config_url, scale=4)
    context = {"form": form, "device": device, "key": key_text(device), "picture": picture}
    return _render(request, "second_factor_setup", _("Set up a second factor"), **context)


@second_factor_required
def backup_codes(request: HttpRequest) -> HttpResponse:
    if request.method != "POST" or not _is_verified(request):
        return redirect("admin:second-factor")
    codes = new_backup_codes(request.user)
    return _render(request, "second_factor_backup", _("Backup codes"), codes=codes)


@second_factor_required
def remove_authenticator(request: HttpRequest) -> HttpResponse:
    """Remove the authenticator after a valid code, so that an unlocked browser is not enough."""
    if request.method != "POST" or not _is_verified(request):
        return redirect("admin:second-factor")
    form = forms.CodeCheckForm(request, request.POST or None)
    if not form.is_valid():
        return _status(request, form)
    TOTPDevice.objects.filter(user=request.user).delete()
    if not has_second_factor(request.user):
        remove_second_factor(request.user)
    messages.success(request, _("Your account has no authenticator any more."))
    return redirect("admin:index")


def _status(request: HttpRequest, form: forms.CodeForm) -> HttpResponse:
    left = StaticToken.objects.filter(device__user=request.user).count()
    return _render(request, "second_factor_status", _("Your second factor"), left=left, form=form)


def _is_verified(request: HttpRequest) -> bool:
    return bool(request.user.is_verified())  # type: ignore[union-attr]  # the middleware adds it


def _verify_session(request: HttpRequest, device: Any) -> None:
    django_otp.login(request, device)
    request.session.cycle_key()


def _next_url(request: HttpRequest) -> str:
    """Return the URL in `next` if it is on this site, else the index."""
    # A login page that redirects to another site helps phishing.
    return LoginView(request=request, next_page="admin:index").get_success_url()


# --- accounts of others -----------------------------------------------------------------------------------


@organisers_only
def users(request: HttpRequest) -> HttpResponse:
    assigned = Prefetch("events", Event.objects.order_by("-start", "name"))
    accounts = User.objects.filter(is_staff=True).order_by("-is_active", "username")
    manageable_pks = set(manageable(who(request)).values_list("pk", flat=True))
    rows = [
        {
            "user": account,
            "role": _role_text(account),
            "events": [event.name for event in account.events.all()],
            "may_manage": account.pk in manageable_pks,
        }
        for account in accounts.prefetch_related("groups", assigned)[:MAX_ACCOUNTS]
    ]
    purpose = _("Accounts for the desk. Organisers invite arbiters and assign their events.")
    return page(request, None, "accounts/users", _("Accounts"), purpose, rows=rows)


@organisers_only
def invite(request: HttpRequest) -> HttpResponse:
    by = who(request)
    form = forms.InvitationForm(by, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            with saving():
                account = create_account(by, form.cleaned_data)
        except Taken as error:
            form.add_error("username", str(error))
        else:
            return _deliver_link(request, account)
    purpose = _("The invited person gets a link to choose a password.")
    return page(request, None, "accounts/invite", _("Invite"), purpose, form=form, sends_mail=sends_mail())


CHANGES: dict[str, tuple[Callable[[User, User], None], Any]] = {
    "close": (
        partial(set_active, is_active=False),
        gettext_lazy("The account is closed and logged out everywhere. Its API tokens are revoked."),
    ),
    "open": (partial(set_active, is_active=True), gettext_lazy("The account is open again.")),
    "factor": (
        reset_second_factor,
        gettext_lazy("The second factor is removed. Open sessions have ended, and API tokens are revoked."),
    ),
}
"""The buttons on the page of an account, with the message after the change."""


@organisers_only
def user(request: HttpRequest, user_id: int) -> HttpResponse:
    by = who(request)
    account = get_object_or_404(manageable(by), pk=user_id)
    button = request.POST.get("act", "")
    if button == "link":
        expire_invitations(by, account)
        return _deliver_link(request, account)
    if button in CHANGES:
        change, message = CHANGES[button]
        change(by, account)
        messages.success(request, message)
        return redirect("admin:user", account.pk)
    initial = {"email": account.email, "events": list(account.events.all())}
    form = forms.EventsForm(account, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        change_email(by, account, form.cleaned_data["email"])
        assign_events(by, account, form.cleaned_data["events"])
        messages.success(request, _("Saved."))
        return redirect("admin:user", account.pk)
    log = LogEntry.objects.filter(
        object_id=str(account.pk), content_type=ContentType.objects.get_for_model(User)
    )
    context = {
        "form": form,
        "account": account,
        "role": _role_text(account),
        "log": log.select_related("user").order_by("-action_time", "-pk")[:MAX_LOG_ENTRIES],
        "sends_mail": sends_mail(),
    }
    purpose = _("The events and logins of this account, and the changes to it.")
    return page(request, None, "accounts/user", account.get_username(), purpose, **context)


def _deliver_link(request: HttpRequest, account: User) -> HttpResponse:
    """Mail the link. If there is no mail or it fails, show it once."""
    is_failed = False
    if account.email and sends_mail():
        try:
            password_links.mail_link(request, account)
        except OSError:  # smtplib's exceptions are subclasses
            is_failed = True
        else:
            messages.success(
                request, _("A mail with the link is on its way to %(mail)s.") % {"mail": account.email}
            )
            return redirect("admin:user", account.pk)
    context = {
        "account": account,
        "link": request.build_absolute_uri(password_links.path_of_link(account)),
        "is_failed": is_failed,
        "days": password_links.INVITATIONS.lifetime.days,
    }
    purpose = _("The link is shown only once. Anyone with the link can set the password of this account.")
    return _render(request, "user_link", _("Hand this link over"), purpose=purpose, **context)


def _role_text(account: User) -> str:
    if account.is_superuser:
        return _("superuser")
    names = {group.name for group in account.groups.all()}
    return ", ".join(_(role.value).lower() for role in Role if role in names) or _("no role")
